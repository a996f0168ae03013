/** What a failed request to a bucket means: whether another try helps, and what the user reads. */

import { codeOf, DiskError } from '../../errors.ts';
import { inBoth, type Message, message } from '../../messages/message.ts';

/** Codes of the system for a connection that was not made, or was lost. */
const networkCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  ...['ENETUNREACH', 'ENETDOWN', 'ECONNABORTED', 'EHOSTDOWN'],
]);

/** Names under which services refuse a request that the same moment later may pass. */
const passing: ReadonlySet<string> = new Set([
  ...['SlowDown', 'RequestTimeout', 'InternalError', 'ServiceUnavailable', 'TooManyRequests', 'TimeoutError'],
  ...['BadDigest', 'XAmzContentSHA256Mismatch', 'IncompleteBody', 'RequestTimeTooSkewed', 'OperationAborted'],
]);

const full: ReadonlySet<string> = new Set([
  ...['QuotaExceeded', 'EntityTooLarge', 'XMinioStorageFull', 'InsufficientStorage', 'StorageFull'],
  ...['XMinioAdminBucketQuotaExceeded', 'InsufficientCapacity'],
]);

/** Names for credentials that are missing, wrong, or no longer valid. */
const credentials: ReadonlySet<string> = new Set([
  ...['ExpiredToken', 'ExpiredTokenException', 'TokenRefreshRequired', 'InvalidToken', 'InvalidAccessKeyId'],
  ...['SignatureDoesNotMatch', 'CredentialsProviderError', 'TokenProviderError', 'InvalidSecurity'],
]);

const otherRegion: ReadonlySet<string> = new Set([
  ...[
    'PermanentRedirect',
    'AuthorizationHeaderMalformed',
    'TemporaryRedirect',
    'IllegalLocationConstraintException',
  ],
]);

/** What can be known of a failure. Nothing else of it is shown: its own text may contain a key. */
interface Failure {
  /** The service's or the library's name for it; '' where there is none. */
  readonly name: string;
  /** HTTP status; 0 where nothing was answered. */
  readonly status: number;
  /** Code of the system; '' where there is none. */
  readonly code: string;
}

function failureOf(error: unknown): Failure {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : null;
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
      ? Number(metadata.httpStatusCode ?? 0)
      : 0;
  // An answer to HEAD has no body, hence no name.
  const name =
    error instanceof Error && !/^(Error|Unknown|UnknownError|\d+)$/.test(error.name) ? error.name : '';
  return { name: /^[A-Za-z][\w.-]{0,60}$/.test(name) ? name : '', status, code: codeOf(error) };
}

/** True where another try may succeed soon. */
export function isPassing(error: unknown): boolean {
  const { name, status, code } = failureOf(error);
  if (full.has(name) || credentials.has(name)) return false;
  if (passing.has(name) || [408, 429, 500, 502, 503, 504].includes(status)) return true;
  return status === 0 && networkCodes.has(code);
}

/** True where credentials read again may be accepted. HEAD and some services give no name. */
export function isOfCredentials(error: unknown): boolean {
  const { name, status } = failureOf(error);
  return credentials.has(name) || status === 401 || (status === 403 && !full.has(name));
}

/** True where the bucket has no such object. */
export function isMissing(error: unknown): boolean {
  const { name, status } = failureOf(error);
  return status === 404 && name !== 'NoSuchBucket' && name !== 'NoSuchUpload';
}

/** True for an upload in parts that the bucket no longer knows. */
export function isUploadLost(error: unknown): boolean {
  return failureOf(error).name === 'NoSuchUpload';
}

/** The refusal as the user reads it: `failed` is `s3://bucket/key could not be written`. */
export function refusal(failed: Message, bucket: string, host: string, error: unknown): DiskError {
  return new DiskError(refused(failed, bucket, host, failureOf(error)));
}

function refused(failed: Message, bucket: string, host: string, { name, status, code }: Failure): Message {
  const why = [name, status === 0 ? code : `HTTP ${status}`].filter((each) => each !== '').join(', ');
  const so = why === '' ? { en: '', zh: '' } : { en: ` (${why})`, zh: `（${why}）` };
  const values = { what: inBoth(failed), so };
  if (name === 'NoSuchBucket') return message('bucket.none', { ...values, bucket });
  if (full.has(name) || status === 507 || status === 413) return message('bucket.full', values);
  if (otherRegion.has(name) || status === 301) return message('bucket.elsewhere', values);
  if (credentials.has(name) || status === 401) return message('bucket.credentials', values);
  if (status === 403) return message('bucket.refused', values);
  if (status === 0 && networkCodes.has(code)) return message('bucket.away', { ...values, host });
  return message('bucket.failed', values);
}
