import type { ByteWindow } from './byte-window'

/**
 * Container of a recording, by its first bytes, never by its name.
 * @see RFC 9639, 6 (`fLaC`); RFC 3533, 6 (`OggS`); RFC 8794, 11.2.1 (EBML); EBU Tech 3306 (`RF64`)
 */
export type Container = 'wav' | 'mp3' | 'mp4' | 'webm' | 'ogg' | 'flac'

const ebml = 0x1a45dfa3
/** First boxes of an MP4 (ISO 14496-12, 4.3 and 8.16.2) or QuickTime file; those without `ftyp` are older. */
const firstBoxes = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'styp']

/** Container of a file. @returns null for what is none of them */
export function containerOf(bytes: ByteWindow): Container | null {
  const start = afterId3(bytes)
  if (bytes.says(start, 'fLaC')) return 'flac'
  if (start > 0) return 'mp3'
  if ((bytes.says(0, 'RIFF') || bytes.says(0, 'RF64')) && bytes.says(8, 'WAVE')) return 'wav'
  if (bytes.says(0, 'OggS')) return 'ogg'
  if (bytes.u32be(0) === ebml) return 'webm'
  if (firstBoxes.some((box) => bytes.says(4, box))) return 'mp4'
  return isMpegFrame(bytes.u16be(0)) ? 'mp3' : null
}

/** Eleven bits of a frame's start, and a layer: without one it is AAC (ISO 11172-3, 2.4.2.3). */
const isMpegFrame = (bits: number): boolean =>
  bits >= 0 && (bits & 0xffe0) === 0xffe0 && (bits & 0x0006) !== 0

const maxTags = 8

/** Start of the recording, behind tags that players show (ID3v2.4 main structure, 3.1, 3.4 and 6.2). */
export function afterId3(bytes: ByteWindow): number {
  let at = 0
  for (let tags = 0; tags < maxTags && bytes.says(at, 'ID3'); tags++) {
    let length = 0
    // Seven bits of each byte, so that it never looks like a frame.
    for (let place = 6; place < 10; place++) length = length * 128 + (bytes.u8(at + place) & 0x7f)
    const hasFooter = (bytes.u8(at + 5) & 0x10) !== 0
    at += 10 + length + (hasFooter ? 10 : 0)
  }
  return at
}
