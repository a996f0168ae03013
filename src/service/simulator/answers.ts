/** Writes the service's answers: the envelope, and the error pages of a gateway. */

import type { ServerResponse } from 'node:http';

/** `{status: 'success', data}` with status 200. */
export function answerSuccess(response: ServerResponse, data: object): void {
  answerText(response, 200, 'application/json', JSON.stringify({ status: 'success', data }));
}

/** `{status: 'error', data: {messages}}`. */
export function answerError(response: ServerResponse, statusCode: number, messages: string): void {
  answerText(
    response,
    statusCode,
    'application/json',
    JSON.stringify({ status: 'error', data: { messages } }),
  );
}

/** A page without an envelope, as a gateway sends it when it has lost the service. */
export function answerGatewayPage(response: ServerResponse, statusCode: number, reason: string): void {
  const page = `<html><head><title>${statusCode} ${reason}</title></head><body>${reason}</body></html>\n`;
  answerText(response, statusCode, 'text/html', page);
}

/** Any text, with its length. */
export function answerText(response: ServerResponse, statusCode: number, type: string, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(statusCode, { 'content-type': `${type}; charset=utf-8`, 'content-length': body.length });
  response.end(body);
}
