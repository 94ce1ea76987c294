/**
 * Makes a text one word of a command, for the shells of a system. On Windows, cmd knows only double quotes, and PowerShell too, but it
 * takes `$pulumi` in a URN for a variable there: such a text gets single quotes.
 */
export const quoteFor =
  (platform: NodeJS.Platform) =>
  (text: string): string => {
    if (/^[\w@%+=:,./-]+$/.test(text)) return text;
    if (platform !== "win32") return `'${text.replaceAll("'", "'\\''")}'`;
    return /[$`]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
  };

/** A text as one word of a command, for the shell at hand. */
export const shellQuote = quoteFor(process.platform);
