/**
 * Formats of speech, in the words of `response_format`.
 * @see openai/openai-openapi `CreateSpeechRequest`, 2.3.0 of 2026-08-21
 */
export const audioFormats = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const
export type AudioFormat = (typeof audioFormats)[number]

/**
 * Media types of audio formats, as clients receive them: Opus comes in Ogg (RFC 7845, 9). `pcm` is 16
 * bits, little end first, one channel, 24 kHz, as the reference says of speech.
 */
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

/** Whether a name is an audio format. */
export const isAudioFormat = (name: string): name is AudioFormat =>
  audioFormats.some((each) => each === name)
