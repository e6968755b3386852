import { type AudioFormat, pcmRate } from '../../media/audio-format'
import { wavHead } from '../../media/wav'
import { flacPieces } from './flac'
import { type Note, tones } from './melody'
import { oggPieces } from './ogg'

const hertz = [250, 333, 417, 500]
const loudest = 8000
/** A tone that begins or ends at once clicks. */
const fadeSamples = 120

const samplesOf = ({ ms }: Note): number => Math.round((ms * pcmRate) / 1000)

const countSamples = (notes: readonly Note[]): number =>
  notes.reduce((sum, note) => sum + samplesOf(note), 0)

/** A second of each tone, after which it begins again: hertz are whole. Made when it is first heard. */
const seconds: Buffer[] = []

function secondOf(tone: number): Buffer {
  let second = seconds[tone]
  if (second === undefined) {
    second = Buffer.alloc(pcmRate * 2)
    for (let at = 0; at < pcmRate; at++) second.writeInt16LE(levelOf(tone, at), at * 2)
    seconds[tone] = second
  }
  return second
}

/** @param fade from 0 for silence to 1 */
const levelOf = (tone: number, at: number, fade = 1): number =>
  Math.round(loudest * fade * Math.sin(((2 * Math.PI * (hertz[tone] ?? 0)) / pcmRate) * at))

/** Sixteen bits, little end first, one channel: a piece a note. */
function* samplePieces(notes: readonly Note[]): Generator<Buffer, void> {
  for (const note of notes) {
    const count = samplesOf(note)
    const piece = Buffer.alloc(count * 2)
    if (note.tone < tones) play(note.tone, piece, count)
    yield piece
  }
}

function play(tone: number, piece: Buffer, count: number): void {
  const second = secondOf(tone)
  for (let at = 0; at < piece.length; at += second.length) second.copy(piece, at)
  const fade = (at: number) =>
    piece.writeInt16LE(
      levelOf(tone, at, Math.min(1, at / fadeSamples, (count - at) / fadeSamples)),
      at * 2,
    )
  const edge = Math.min(fadeSamples, count)
  for (let at = 0; at < edge; at++) fade(at)
  for (let at = Math.max(edge, count - fadeSamples); at < count; at++) fade(at)
}

/**
 * One frame of each tone and one of silence, last, in each compressed format: taken from the middle of
 * a steady sine wave, so that repeating it plays that wave on. Made once with ffmpeg 5.1, one channel:
 *
 *     mp3   sine of 250, 333⅓, 416⅔, 500 Hz    -ar 24000 -c:a libmp3lame -b:a 32k -reservoir 0
 *     aac   sine of 258, 328, 422, 492 Hz      -ar 24000 -c:a aac -b:a 32k -f adts
 *     opus  sine of 250, 350, 400, 500 Hz      -ar 48000 -c:a libopus -b:a 24k -vbr off -frame_duration 20
 *
 * whole waves in a frame each (24 ms, 42⅔ ms, 20 ms); the frames are the 40th, 30th and 50th.
 */
const base64 = {
  mp3: [
    '//NExAAMEu4UAL1KRPhHrABg8J4RJgMlvhY7/xn/wof/436fR//G//T/41////C//o3/q3/jR3///jAz5NMQU1FM' +
      'y4xMDAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '//NExAAMmuoUALgOaP4R6jgYSoBEGOBhBboM//5Ut//iZv/8Qh3/+pf//EBf//Kl//8qM//5Qt//oM//5Qt9SYgp' +
      'qKZlxiYGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '//NExAAQquIUALiKeK+uEQXcGFHgR6XwYWG4IfUftgm16+2o3fvhQ/vr7YXwvo+vV9evRtH/VtNwpsa2N/rwoMxj' +
      'a9OnTo2raPjercfVX1piCmopmXGJgYAAAAAAAAAA',
    '//NExAAKitoUALgPJPhEArBgYl4R6dQYZZ//f/1v8TjH///idv///X///4nb///yj///+Cgf9aYgpqKZlxiYGAAA' +
      'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '//NExAAAAANIAAAAAExBTUUzLjEwMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
      'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ],
  aac: [
    '//FYQBU//ADsMS1wZGwIhPrX5/8H/Px5BK7kkkSpq/jfIAbN3ppIrSMOjk4hFLstkRb8nuPlEQ+QO/I7kd4ESC+z' +
      'ETj/bESh+9bNmKa/AjSo0qmqqaqppUaVGqo0qLTLTISEhISEhISEhISEhISEhISEhISEhISEhN27du3bt26EhISE' +
      'hISEhISE0qNKjSo0qNKTSkpIpIpIpIpIpIvPPPPPPPPPPPPPcA==',
    '//FYQBV//ADoMS2NQhOOJ9v2+z8fj9Y+z6yOveSSStTqdwJUzSeQWD+qIiV6dk0k3YJBJC4AQ2/ynJ/HzfktwPA4' +
      'dtYCHuoi9RIgf7PNUwrS19f8M7Ozs/m8nm7scMcMcMcMcKa/N5PN5GdnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dnZ2cyMjIy' +
      'Z2dnZ2dnZ2dnZ6a6a6a6a6a6a6a6a6a6a6a6a3nnnnnnnnnnnnnu',
    '//FYQBYf/ADsMa2tMhpPv+n6/n9vt9v+f/K+/CR5TcSLvqdgSpkqZKmplxGIchCIld6dk0k3YJBJB4CQ23ytJ8sh' +
      'ytAs909EcPaJSohFZ8fB/q7OmFWOunBnZ2dnZ2dnZ2dnxrprprprprprprZ2dnZ2dnZ2dnZ2dnZ2dnZzIyMjIyN2' +
      'cyMjJnZ2dnYqa6a6a6a6a6a6a6a6a6a6a6a3nnnnnnnnnnnnnnnnnnnnnuA=',
    '//FYQBY//ADsMZjWhpEMk48fq/T/t9vv/5+1enxUrVbki76ndQYY4Y4Y4Y+TwEt/ZBESK8jDpZCERKvLZEPAicDn' +
      'hDlUMjth3gKN/Z4upl1Uy4lzOnDr7mdnZ2fr7uvuxwxwxwxwprprxwxwxwprprprZ2dnZ2dnZ2dnZ2dnZ2dnZzIy' +
      'Z2dnZ2dnZ2dnZ6a6a6a6a6a6a6a6a6a6a6a6a3nnnnnnnnnnnnnnnnnnnnnu',
    '//FYQAF//AEYIAc=',
  ],
  opus: [
    '+MD74jFzdUHF+4vkL844E89eXLjruQfLfHEuOFbD1yWlpMc4ObH9N9CBd+ziXvlVWdt+BuU1e18VC6dB',
    '+ML6GQhX62KgYZhOM94orPj3JMbIFTuWrGeHq4Px2JPrPkLJnF1OQ5UfcbKrXrOe2ndRMhM6upzKSM8K',
    '+K2kxtPOL02/V1OJIqHzdAw37URdY6bQCEQfv4G2NCI+ZnOODbdFEIPiJ9WXvyLdQKOQCL7PqHhErfe5',
    '+K2AdbZmPD6fOukaS1PI+YXLd06/dqslLfHFyLPsIozbKISBAwkhhZZ6Jqd0Oxd985c3r9jNTo4bgN2h',
    '+P/+AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ],
} as const

const decoded = (frames: readonly string[]): readonly Buffer[] =>
  frames.map((frame) => Buffer.from(frame, 'base64'))

/** Frames by tone. */
const audioFrames = {
  mp3: { ms: 24, frames: decoded(base64.mp3) },
  aac: { ms: 1024 / 24, frames: decoded(base64.aac) },
  opus: { ms: 20, frames: decoded(base64.opus) },
} as const

/** A playable file of these notes, about a piece a note. */
export function audioPieces(
  notes: readonly Note[],
  format: AudioFormat,
): Generator<Uint8Array, void> {
  switch (format) {
    case 'pcm':
      return samplePieces(notes)
    case 'wav':
      return wavPieces(notes)
    case 'flac':
      return flacPieces(samplePieces(notes), countSamples(notes))
    case 'opus':
      return oggPieces(frameGroups(notes, 'opus'))
    case 'mp3':
    case 'aac':
      return framePieces(notes, format)
  }
}

function* wavPieces(notes: readonly Note[]): Generator<Uint8Array, void> {
  yield wavHead(pcmRate, countSamples(notes) * 2)
  yield* samplePieces(notes)
}

function* framePieces(notes: readonly Note[], format: 'mp3' | 'aac'): Generator<Uint8Array, void> {
  for (const frames of frameGroups(notes, format)) yield Buffer.concat(frames)
}

/** The frames of each note, at least one. */
function* frameGroups(
  notes: readonly Note[],
  format: keyof typeof audioFrames,
): Generator<readonly Buffer[], void> {
  const { ms: frameMs, frames } = audioFrames[format]
  for (const { tone, ms } of notes) {
    const frame = frames[tone]
    if (frame === undefined) throw new Error(`no tone ${tone}`)
    yield Array.from({ length: Math.max(1, Math.round(ms / frameMs)) }, () => frame)
  }
}
