/** What the tests use of a package without types. */
declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http';

  export default class S3rver {
    readonly httpServer: Server;
    constructor(options: object);
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
