# Reads NetHack's tune from a decision tree: `perl tune.pl nethack.tree`, an answer a line.
use strict;
use warnings;

my $usage = "usage: perl tune.pl nethack.tree";
open my $file, '<', $ARGV[0] // '' or die "$usage ($!)\n";
(<$file> // '') eq "puzzlehunt tree 1\n" or die "$usage (this is no decision tree)\n";

# The tune after each sequence of answers, such as "00 11 "; the first tune after "".
my (%tunes, @answers);
while (<$file>) { last if $_ eq "\n" }
while (<$file>) {
    my ($blanks, $answer, $tune) = /^( *)(\d*) ?([A-Z]+)/;
    splice @answers, length($blanks) - 1, @answers, "$answer " if $blanks;
    $tunes{join '', @answers} = $tune;
}

# Games one after the other: print a tune, then read how many gears and tumblers move.
my $path = '';
$| = 1;
print "$tunes{$path}\n";
while (<STDIN>) {
    my ($gears, $tumblers) = /^\s*([0-5])\s+([0-5])\s*$/;
    if (!defined $gears) {
        print STDERR "expected GEARS TUMBLERS, such as 1 2\n";
    } elsif ("$gears$tumblers" eq '50') {
        print "found\n";
        $path = '';
    } elsif (exists $tunes{"$path$gears$tumblers "}) {
        $path .= "$gears$tumblers ";
    } else {
        print "impossible\n";
        $path = '';
    }
    print "$tunes{$path}\n";
}
