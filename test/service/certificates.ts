/**
 * Self-signed certificates for tests, good for 100 years, and the one key behind them, which guards nothing. Made with
 * `openssl req -x509 -key KEY -subj /CN=trusted -addext subjectAltName=IP:127.0.0.1,DNS:service.invalid -days 36500`.
 */

import * as tls from 'node:tls';
import { afterAll, beforeAll } from 'vitest';

/** During the tests of this file these are vouched for, as by an authority of the system. */
export function trustInTests(...certificates: readonly { readonly cert: string }[]): void {
  const authorities = tls.getCACertificates('default');
  beforeAll(() => tls.setDefaultCACertificates([...authorities, ...certificates.map(({ cert }) => cert)]));
  afterAll(() => tls.setDefaultCACertificates(authorities));
}

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOXRe61PAGdt5GOEd
v0vEbchBFm03An6SloVpcZoPLIWhRANCAASuFPrBrKfyvt4AG2/sgCBiDdeTK9lU
hOADr+8uzuXzGXGpsw77PhtEMQtjV+rLLx3t4zi28vnO3xHbHWv+VU03
-----END PRIVATE KEY-----
`;

/** For 127.0.0.1 and service.invalid; tests put it among the authorities. */
export const trusted = {
  key,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnTCCAUOgAwIBAgIUDRLAWsew+prbWGJwdCC9OwejeywwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHdHJ1c3RlZDAgFw0yNjExMjEwMjI5MTlaGA8yMTI2MTAyODAy
MjkxOVowEjEQMA4GA1UEAwwHdHJ1c3RlZDBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABK4U+sGsp/K+3gAbb+yAIGIN15Mr2VSE4AOv7y7O5fMZcamzDvs+G0QxC2NX
6ssvHe3jOLby+c7fEdsda/5VTTejdTBzMB0GA1UdDgQWBBTZ0pCUi+bMmWRizFMz
vFJ5ywyUsDAfBgNVHSMEGDAWgBTZ0pCUi+bMmWRizFMzvFJ5ywyUsDAPBgNVHRMB
Af8EBTADAQH/MCAGA1UdEQQZMBeHBH8AAAGCD3NlcnZpY2UuaW52YWxpZDAKBggq
hkjOPQQDAgNIADBFAiEAxADrZFreBKMZ3ouHWt4eS07YneXc2HN9B7tIwcxRa/cC
IDFkAHSwqcupXMTWLQR9HR/AnkBsKvunKAE9AOdwK1QZ
-----END CERTIFICATE-----
`,
};

/** For the same names; nobody vouches for it. */
export const unknown = {
  key,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnTCCAUOgAwIBAgIUdhQSXJPv20VH9tre8tWOdqECZxgwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHdW5rbm93bjAgFw0yNjExMjEwMjI5MTlaGA8yMTI2MTAyODAy
MjkxOVowEjEQMA4GA1UEAwwHdW5rbm93bjBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABK4U+sGsp/K+3gAbb+yAIGIN15Mr2VSE4AOv7y7O5fMZcamzDvs+G0QxC2NX
6ssvHe3jOLby+c7fEdsda/5VTTejdTBzMB0GA1UdDgQWBBTZ0pCUi+bMmWRizFMz
vFJ5ywyUsDAfBgNVHSMEGDAWgBTZ0pCUi+bMmWRizFMzvFJ5ywyUsDAPBgNVHRMB
Af8EBTADAQH/MCAGA1UdEQQZMBeHBH8AAAGCD3NlcnZpY2UuaW52YWxpZDAKBggq
hkjOPQQDAgNIADBFAiEAuAekgUXPCznWYhqsCKHz87qIkgSALAgCwNeYYtKnqfcC
IDcKVXbV1DSFIwVCKQ5qWMtfyKssuaubMuI1/rncrqSU
-----END CERTIFICATE-----
`,
};

/** For elsewhere.example only; tests put it among the authorities. */
export const otherName = {
  key,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnzCCAUWgAwIBAgIUJgOGXLXjEla4BeqgTwIMJgQF4/wwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKb3RoZXIgbmFtZTAgFw0yNjExMjEwMjI5MTlaGA8yMTI2MTAy
ODAyMjkxOVowFTETMBEGA1UEAwwKb3RoZXIgbmFtZTBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABK4U+sGsp/K+3gAbb+yAIGIN15Mr2VSE4AOv7y7O5fMZcamzDvs+
G0QxC2NX6ssvHe3jOLby+c7fEdsda/5VTTejcTBvMB0GA1UdDgQWBBTZ0pCUi+bM
mWRizFMzvFJ5ywyUsDAfBgNVHSMEGDAWgBTZ0pCUi+bMmWRizFMzvFJ5ywyUsDAP
BgNVHRMBAf8EBTADAQH/MBwGA1UdEQQVMBOCEWVsc2V3aGVyZS5leGFtcGxlMAoG
CCqGSM49BAMCA0gAMEUCIC9rUkj/1cOhaNAHeKwy0S42UKBdwLL6nDFrmAtgtNTQ
AiEAqWnROS1/dQsqgLT0p5F/3VJ5PiC6rnrD5GWFwe0z0Ko=
-----END CERTIFICATE-----
`,
};
