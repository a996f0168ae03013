import { encodeQR } from 'qr';
import { packQr } from './qr-modules.ts';

/** The QR code of a text, packed: it can still be read when an eighth of it is damaged, as on a folded sheet. */
export function qrCode(text: string): string {
  const framed = encodeQR(text, 'raw', { ecc: 'medium', border: 1 });
  return packQr(framed.slice(1, -1).map((line) => line.slice(1, -1)));
}
