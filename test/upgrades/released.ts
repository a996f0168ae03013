/** Migrations that have been released, with the sha256 of each: databases out there were made by exactly these. */
export const released: Readonly<Record<string, string>> = {
  '001-first.sql': 'a2215cf6447fccc7cf467d1a174ee10b3c465c60df54fe4243fcfba363a2ecc9',
};
