/** An MP4 of a given size with the tables of a real one: five minutes of 30 pictures a second, with sound. */

import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';

const seconds = 320;
const pictures = seconds * 30;
/** Packets of AAC at 44.1 kHz have 1,024 samples. */
const soundEach = 1_024 / 44_100;
const soundBytes = 180;

/** The packets are noise: nothing decodes them. */
export async function madeMp4(sizeBytes: number): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target });
  const picture = new EncodedVideoPacketSource('avc');
  const sound = new EncodedAudioPacketSource('aac');
  output.addVideoTrack(picture);
  output.addAudioTrack(sound);
  await output.start();
  const sounds = Math.floor(seconds / soundEach);
  const pictureBytes = Math.floor((sizeBytes - sounds * soundBytes) / pictures);
  const description = Uint8Array.of(
    1,
    0x42,
    0,
    0x1f,
    0xff,
    0xe1,
    0,
    4,
    0x67,
    0x42,
    0,
    0x1f,
    1,
    0,
    2,
    0x68,
    0xce,
  );
  const videoConfig = { codec: 'avc1.42001f', codedWidth: 1280, codedHeight: 720, description };
  const audioConfig = {
    codec: 'mp4a.40.2',
    sampleRate: 44_100,
    numberOfChannels: 1,
    description: Uint8Array.of(0x12, 0x08),
  };
  const frame = new Uint8Array(pictureBytes).fill(0x5a);
  const tone = new Uint8Array(soundBytes).fill(0x33);
  let heard = 0;
  for (let at = 0; at < pictures; at += 1) {
    const type = at % 250 === 0 ? 'key' : 'delta';
    await picture.add(new EncodedPacket(frame, type, at / 30, 1 / 30), { decoderConfig: videoConfig });
    for (; heard < sounds && heard * soundEach <= at / 30; heard += 1)
      await sound.add(new EncodedPacket(tone, 'key', heard * soundEach, soundEach), {
        decoderConfig: audioConfig,
      });
  }
  await output.finalize();
  if (target.buffer === null) throw new Error('the MP4 is empty');
  return new Uint8Array(target.buffer);
}
