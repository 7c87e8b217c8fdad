"""Text of ibnetdiscover(8) and its dialects, read into columns. Knows lines and records; knows no host and no tree."""
