import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { readAddress } from '../../../src/stores/postgres/connection/address.ts';

describe('an address', () => {
  it('keeps what the server is told, and its name says neither user nor password', () => {
    const address = readAddress('postgres://me:secret@db:5433/batch?sslmode=disable&options=-c%20geqo%3Doff');
    expect(address).toEqual({
      connectionString: 'postgres://me:secret@db:5433/batch',
      options: '-c geqo=off',
      ssl: false,
      mayBePlain: false,
      name: 'postgres://db:5433/batch',
    });
  });

  it.each([
    ['prefer', true, false],
    ['require', false, false],
    ['verify-full', false, undefined],
  ] as const)('means by sslmode=%s what PostgreSQL does', (mode, mayBePlain, rejectUnauthorized) => {
    const address = readAddress('postgres://db/batch', { PGSSLMODE: mode });
    expect(address.mayBePlain).toBe(mayBePlain);
    expect(address.ssl).toMatchObject(rejectUnauthorized === undefined ? {} : { rejectUnauthorized });
    // The address itself says more than the environment.
    expect(readAddress('postgres://db/batch?sslmode=disable', { PGSSLMODE: mode }).ssl).toBe(false);
  });

  it('names a certificate that is there and a mode that is known', () => {
    expect(() => readAddress('postgres://db/batch?sslmode=verify-ca&sslrootcert=/nowhere')).toThrow(
      UsageError,
    );
    expect(() => readAddress('postgres://db/batch?sslmode=maybe')).toThrow(/sslmode maybe is unknown/);
  });
});
