/* Reads NetHack's tune from a decision tree: `./tune nethack.tree`, an answer a line. */
#include <stdio.h>
#include <string.h>

/* Goes to the tree's first tune. Returns 0 if the file is no tree. */
static int first_tune(FILE *tree, char tune[6])
{
    char line[80] = "";
    rewind(tree);
    if (!fgets(line, sizeof line, tree) || strcmp(line, "puzzlehunt tree 1\n") != 0)
        return 0;
    while (fgets(line, sizeof line, tree) && line[0] != '\n')
        ;
    return fscanf(tree, "%5s%*[^\n]%*c", tune) == 1;
}

/* Reads on, from behind the tune with `depth` answers before it, to the tune after one more answer.
   Returns 0 if there is none. A tune stands one blank further in than the tune before it. */
static int next_tune(FILE *tree, size_t depth, const char answer[3], char tune[6])
{
    char line[80];
    while (fgets(line, sizeof line, tree)) {
        size_t blanks = strspn(line, " ");
        if (blanks <= depth)
            return 0;
        if (blanks == depth + 1 && strncmp(line + blanks, answer, 2) == 0)
            return sscanf(line + blanks + 3, "%5s", tune) == 1;
    }
    return 0;
}

int main(int count, char **arguments)
{
    FILE *tree = fopen(count > 1 ? arguments[1] : "", "r");
    char tune[6], line[80], answer[3] = "", rest;
    size_t depth = 0;

    if (!tree || !first_tune(tree, tune)) {
        fprintf(stderr, "usage: %s nethack.tree (%s)\n", arguments[0],
                tree ? "this is no decision tree" : "the file cannot be read");
        return 1;
    }
    do {   /* Games one after the other: print a tune, read how many gears and tumblers move. */
        puts(tune);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin))
            return 0;
        if (sscanf(line, " %1[0-5]%*1[ \t] %1[0-5] %c", answer, answer + 1, &rest) != 2) {
            fputs("expected GEARS TUMBLERS, such as 1 2\n", stderr);
        } else if (strcmp(answer, "50") == 0 || !next_tune(tree, depth++, answer, tune)) {
            puts(strcmp(answer, "50") == 0 ? "found" : "impossible");
            depth = 0;
            first_tune(tree, tune);
        }
    } while (1);
}
