/** Formats that speech can be asked for in, in the words of `response_format`. */
export const audioFormats = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const
export type AudioFormat = (typeof audioFormats)[number]

/** Media types of audio formats, as clients receive them. `pcm` is 16 bits, little end first, one channel, 24 kHz. */
export const audioTypes: Readonly<Record<AudioFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
}

/** Samples a second of `pcm`, and of every `wav` that is made here. */
export const pcmRate = 24_000

export const isAudioFormat = (name: string): name is AudioFormat =>
  audioFormats.some((each) => each === name)
