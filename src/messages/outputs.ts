/** What is said of the places where videos and reports are written: folders, scratch folders and buckets. */

import { both, type Words } from './both.ts';
import { renderNumber } from './numbers.ts';

interface Marked {
  readonly name: string;
  readonly mark: string;
}

const notThere = {
  en: 'it is not the place that the other machines see, such as a disk that is not mounted; mend that and run the same command again',
  zh: '这不是其他机器看到的地方，例如磁盘没有挂载；请修复，再运行同一命令',
} as const;

/** A request to a bucket that failed. */
interface OfBucket {
  /** What could not be done. */
  readonly what: Words;
  /** The code of the service in brackets, or nothing. */
  readonly so: Words;
}

const again = { en: 'and run the same command again', zh: '再运行同一命令' } as const;

export const outputMessages = {
  'output.symbolic-link': both(
    ({ path }: Located) =>
      `${path} is a symbolic link; put the file itself there: nothing outside the folder is written`,
    ({ path }) => `${path} 是符号链接；请把文件本身放在那里：文件夹以外不写任何内容`,
  ),
  'output.scratch-full': both(
    ({ folder, count }: { readonly folder: string; readonly count: number }) =>
      `${folder} has ${renderNumber(count)} processes already; set BATCH_SCRATCH to another folder`,
    ({ folder, count }) =>
      `${folder} 中已有 ${renderNumber(count)} 个进程；请把 BATCH_SCRATCH 设为另一个文件夹`,
  ),
  'output.no-scratch': both(
    ({ folder, failure }: { readonly folder: string; readonly failure: string }) =>
      `${folder} cannot be created (${failure}); set BATCH_SCRATCH to another folder`,
    ({ folder, failure }) => `${folder} 无法创建（${failure}）；请把 BATCH_SCRATCH 设为另一个文件夹`,
  ),
  'output.no-report-folder': both(
    ({ folder, failure }: { readonly folder: string; readonly failure: string }) =>
      `${folder} cannot be created (${failure}); choose another --to`,
    ({ folder, failure }) => `${folder} 无法创建（${failure}）；请另选 --to`,
  ),
  'output.no-copy': both(
    ({ name, failure }: Unanswering) =>
      `${name} cannot be copied (${failure}); move it away, it would be replaced`,
    ({ name, failure }) => `${name} 无法复制（${failure}）；请移走，否则会被覆盖`,
  ),

  'output.mark-of-another': both(
    ({ name, mark }: { readonly name: string; readonly mark: string }) =>
      `${name} carries the mark of another run (${mark}); choose another --out, or remove that file if that run is gone`,
    ({ name, mark }) =>
      `${name} 带有另一个运行的标记（${mark}）；请另选 --out；如果那个运行已不在，可删除该文件`,
  ),
  'output.gone': both(
    ({ path, name }: { readonly path: string; readonly name: string }) => `${path} is no longer in ${name}`,
    ({ path, name }) => `${path} 已不在 ${name} 中`,
  ),
  'output.unmarked': both(
    ({ name }: Named) =>
      `the command that makes this run has not marked ${name} yet; when it has, run the same command again`,
    ({ name }) => `建立这个运行的命令还没有在 ${name} 做标记；做好之后，请再次运行同一命令`,
  ),
  'output.moved-away': both(
    ({ folder }: InFolder) =>
      `${folder} was moved away while its files were written; run the same command again`,
    ({ folder }) => `${folder} 在写入文件时被移走；请再次运行同一命令`,
  ),
  'output.changed-file': both(
    ({ file }: { readonly file: string }) =>
      `${file} has other bytes than when it was read; remove it if it is in a scratch folder, and run the same command again`,
    ({ file }) => `${file} 的内容与读取时不同；如果它在临时文件夹中，请删除，再运行同一命令`,
  ),
  'output.not-as-written': both(
    ({ folder, path }: { readonly folder: string; readonly path: string }) =>
      `${folder} does not hold ${path} as it was written; check that disk and run the same command again`,
    ({ folder, path }) => `${folder} 中的 ${path} 与写入的不一致；请检查磁盘，再运行同一命令`,
  ),
  'output.no-folder': both(
    ({ path }: Located) => `${path} is not a folder; move it away and run the same command again`,
    ({ path }) => `${path} 不是文件夹；请移走，再运行同一命令`,
  ),
  'output.unwritable': both(
    ({ path, failure }: Refused) =>
      `the files of ${path} cannot be written: ${failure}; move away what is there and run the same command again`,
    ({ path, failure }) => `${path} 的文件无法写入：${failure}；请移走那里的内容，再运行同一命令`,
  ),
  'output.no-root': both(
    ({ folder, failure }: { readonly folder: string; readonly failure: string }) =>
      `${folder} cannot be the output folder (${failure}); choose another one`,
    ({ folder, failure }) => `${folder} 不能作为输出文件夹（${failure}）；请另选一个`,
  ),
  'output.picture-changed': both(
    ({ path }: Located) => `${path} changed after it was read; run the same command again`,
    ({ path }) => `${path} 在读取之后有改动；请再次运行同一命令`,
  ),
  'output.picture-gone': both(
    ({ path }: Located) => `${path} cannot be read any more; run the same command again`,
    ({ path }) => `${path} 已无法读取；请再次运行同一命令`,
  ),
  'bucket.address': both(
    () => '--out: the address of a bucket is not valid; use s3://BUCKET/PREFIX',
    () => '--out：存储桶的地址无效；请用 s3://BUCKET/PREFIX',
  ),
  'bucket.no-package': both(
    () => 'outputs in a bucket need a package that is not installed: npm install @aws-sdk/client-s3',
    () => '输出到存储桶需要一个还没有安装的软件包：npm install @aws-sdk/client-s3',
  ),
  'bucket.no-region': both(
    () => 'the region of the bucket is not set; set AWS_REGION or AWS_ENDPOINT_URL',
    () => '没有设置存储桶的地区；请设置 AWS_REGION 或 AWS_ENDPOINT_URL',
  ),
  'bucket.no-endpoint': both(
    () => 'the S3 endpoint is not valid; use an address such as https://s3.example.com',
    () => 'S3 服务地址无效；请用这样的地址：https://s3.example.com',
  ),
  'bucket.not-as-sent': both(
    ({ name }: Named) => `${name} is not as it was sent; check the bucket and run the same command again`,
    ({ name }) => `${name} 与发送的不一致；请检查存储桶，再运行同一命令`,
  ),
  'bucket.cut': both(
    ({ name }: Named) => `${name} could not be read to its end; run the same command again`,
    ({ name }) => `${name} 没能读完；请再次运行同一命令`,
  ),
  'output.other-folder': both(
    ({ folder }: InFolder) =>
      `${folder} is not the folder that was opened: it was moved, or another one is in its place; put it back and run the same command again`,
    ({ folder }) => `${folder} 已不是打开时的文件夹：它被移走，或被另一个取代；请放回，再运行同一命令`,
  ),
  'output.scratch-unreadable': both(
    ({ failure }: Failed) =>
      `the scratch folder cannot be read: ${failure}; set BATCH_SCRATCH to another folder`,
    ({ failure }) => `临时文件夹无法读取：${failure}；请把 BATCH_SCRATCH 设为另一个文件夹`,
  ),
  'output.no-root-here': both(
    ({ folder, failure }: InFolder & Failed) =>
      `the output folder ${folder} cannot be created: ${failure}; choose another --out`,
    ({ folder, failure }) => `输出文件夹 ${folder} 无法创建：${failure}；请另选 --out`,
  ),
  'output.no-place-for-folder': both(
    ({ folder }: InFolder) =>
      `the output folder ${folder} cannot be created: no folder can be made there; choose another --out`,
    ({ folder }) => `输出文件夹 ${folder} 无法创建：那里不能建立文件夹；请另选 --out`,
  ),
  'output.no-mark': both(
    ({ name, mark }: Marked) => `${name} does not carry the mark of this run (${mark}): ${notThere.en}`,
    ({ name, mark }) => `${name} 没有本次运行的标记（${mark}）：${notThere.zh}`,
  ),
  'output.other-mark': both(
    ({ name, mark }: Marked) => `${name} carries the mark of another run (${mark}): ${notThere.en}`,
    ({ name, mark }) => `${name} 带有另一个运行的标记（${mark}）：${notThere.zh}`,
  ),

  'bucket.cannot-write': both(
    ({ name }: Named) => `${name} cannot be written`,
    ({ name }) => `${name} 无法写入`,
  ),
  'bucket.cannot-read': both(
    ({ name }: Named) => `${name} cannot be read`,
    ({ name }) => `${name} 无法读取`,
  ),
  'bucket.not-written': both(
    ({ name }: Named) => `${name} could not be written`,
    ({ name }) => `${name} 没能写入`,
  ),
  'bucket.not-signed': both(
    ({ name }: Named) => `a link to ${name} cannot be signed`,
    ({ name }) => `无法为 ${name} 的链接签名`,
  ),
  'bucket.no-parts': both(
    ({ what }: Pick<OfBucket, 'what'>) => `${what.en}: the bucket takes no files in parts`,
    ({ what }) => `${what.zh}：存储桶不接收分段上传的文件`,
  ),
  'bucket.none': both(
    ({ what, bucket, so }: OfBucket & { readonly bucket: string }) =>
      `${what.en}: there is no bucket ${bucket}${so.en}; create it ${again.en}`,
    ({ what, bucket, so }) => `${what.zh}：没有存储桶 ${bucket}${so.zh}；请建立它，${again.zh}`,
  ),
  'bucket.full': both(
    ({ what, so }: OfBucket) =>
      `${what.en}: the bucket is full${so.en}; free space or raise its quota ${again.en}`,
    ({ what, so }) => `${what.zh}：存储桶已满${so.zh}；请腾出空间或提高配额，${again.zh}`,
  ),
  'bucket.elsewhere': both(
    ({ what, so }: OfBucket) =>
      `${what.en}: the bucket is in another region${so.en}; set AWS_REGION ${again.en}`,
    ({ what, so }) => `${what.zh}：存储桶在另一个地区${so.zh}；请设置 AWS_REGION，${again.zh}`,
  ),
  'bucket.credentials': both(
    ({ what, so }: OfBucket) =>
      `${what.en}: the credentials are missing, wrong or expired${so.en}; renew them ${again.en}`,
    ({ what, so }) => `${what.zh}：凭证缺失、有误或已过期${so.zh}；请更新，${again.zh}`,
  ),
  'bucket.refused': both(
    ({ what, so }: OfBucket) =>
      `${what.en}: the bucket refused${so.en}; check the credentials, which must allow to get, put and list objects, ${again.en}`,
    ({ what, so }) =>
      `${what.zh}：存储桶拒绝${so.zh}；请检查凭证，它必须允许读取、写入和列出对象，${again.zh}`,
  ),
  'bucket.away': both(
    ({ what, host, so }: OfBucket & { readonly host: string }) =>
      `${what.en}: ${host} cannot be reached${so.en}; check the network and AWS_ENDPOINT_URL ${again.en}`,
    ({ what, host, so }) =>
      `${what.zh}：无法连接 ${host}${so.zh}；请检查网络和 AWS_ENDPOINT_URL，${again.zh}`,
  ),
  'bucket.failed': both(
    ({ what, so }: OfBucket) => `${what.en}${so.en}; check the bucket ${again.en}`,
    ({ what, so }) => `${what.zh}${so.zh}；请检查存储桶，${again.zh}`,
  ),
};

interface Located {
  readonly path: string;
}

interface Unanswering {
  readonly failure: string;
  readonly name: string;
}

interface Named {
  readonly name: string;
}

interface InFolder {
  readonly folder: string;
}

interface Refused {
  readonly failure: string;
  readonly path: string;
}

interface Failed {
  readonly failure: string;
}
