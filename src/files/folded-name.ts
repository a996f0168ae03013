/** Two paths with the same one of these are one path on some system. */
export function foldedName(path: string): string {
  const letters = path.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD');
  return letters.replace(/[. ]+(?=\/|$)/g, '');
}
