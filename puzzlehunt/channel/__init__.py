"""From the true answer to what is read of it: unread marks, lies, misreadings, and how likely."""
