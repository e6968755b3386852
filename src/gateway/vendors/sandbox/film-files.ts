import type { VideoVariant } from '../video-status'
import text from './film-files.jsonl' with { type: 'text' }

/*
 * One line for each size: four seconds of a moving gradient in H.264, its first frame as WebP, and
 * four frames in a row as JPEG. Made once with ffmpeg:
 *
 *   ffmpeg -f lavfi -i "gradients=s=1280x720:c0=0x1d3557:c1=0xe9c46a:n=2:speed=0.03:seed=7:d=4:r=8" \
 *     -c:v libx264 -profile:v main -pix_fmt yuv420p -preset veryslow -crf 44 -g 32 -bf 2 \
 *     -movflags +faststart -movie_timescale 4800 -video_track_timescale 4800 -map_metadata -1 \
 *     -fflags +bitexact -flags:v +bitexact 1280x720.mp4
 *   ffmpeg -i 1280x720.mp4 -frames:v 1 -vf scale=iw/4:-2 -c:v libwebp -quality 40 1280x720.webp
 *   ffmpeg -i 1280x720.mp4 -frames:v 1 -vf "fps=1,scale=iw/8:-2,tile=4x1" -q:v 12 1280x720.jpg
 */

/** Ticks of the films' clocks: 4800 a second, for four seconds. */
const ticks = 19_200

type Files = Readonly<Record<'size' | VideoVariant, string>>

const files = new Map(
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Files)
    .map((each) => [each.size, each] as const),
)

/**
 * The files of a film of this size, as long as it is asked to be.
 * @param seconds divides 19200
 * @returns null for a size that there is none of
 */
export function filmFile(
  variant: VideoVariant,
  size: string,
  seconds: number,
): Uint8Array<ArrayBuffer> | null {
  const encoded = files.get(size)?.[variant]
  if (encoded === undefined) return null
  const bytes = new Uint8Array(Buffer.from(encoded, 'base64'))
  if (variant === 'video') for (const box of ['mvhd', 'mdhd']) slow(bytes, box, seconds)
  return bytes
}

/**
 * Behind its name: version and flags, two times of making, and then the ticks of a second (ISO 14496-12,
 * 8.2.2).
 */
const ticksAt = 16

/** Stretches a film over another time: both clocks of the file tick slower. */
function slow(bytes: Uint8Array<ArrayBuffer>, box: string, seconds: number): void {
  const at = Buffer.from(bytes.buffer).indexOf(box)
  if (at < 0) throw new Error(`a film without ${box}`)
  new DataView(bytes.buffer).setUint32(at + ticksAt, Math.round(ticks / seconds))
}
