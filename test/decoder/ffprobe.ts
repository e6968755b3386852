import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fieldsOf, listOf } from '../../src/gateway/json/fields'

const program = join(
  import.meta.dir,
  '../tools/node_modules/@ffprobe-installer',
  `${process.platform}-${process.arch}`,
  'ffprobe',
)

/** What an independent decoder finds in a file. */
interface Probed {
  readonly format: string
  /** Of its sound, where it has any; null where the file does not tell. */
  readonly seconds: number | null
  readonly codecs: readonly string[]
  /** Of the first stream that has a picture. */
  readonly size: string | null
  /** Frames that were really decoded, of all streams. */
  readonly frames: number
}

/**
 * Decodes all of it.
 * @param how what a file without a head must be told of
 * @throws Error with the decoder's own words when anything is wrong with it
 */
export async function probe(bytes: Uint8Array, how: readonly string[] = []): Promise<Probed> {
  const folder = mkdtempSync(join(tmpdir(), 'chapar-probe-'))
  try {
    const file = join(folder, 'file')
    writeFileSync(file, bytes)
    const child = Bun.spawn(
      [
        program,
        '-v',
        'error',
        ...how,
        '-count_frames',
        '-show_format',
        '-show_streams',
        '-of',
        'json',
        file,
      ],
      { stdout: 'pipe', stderr: 'pipe' },
    )
    const [told, wrong, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    if (code !== 0 || wrong !== '') throw new Error(`not sound: ${wrong}`)
    const { format, streams } = fieldsOf(JSON.parse(told))
    const found = listOf(streams).map(fieldsOf)
    const { format_name: name, duration: whole } = fieldsOf(format)
    const heard = found.find(({ codec_type: type }) => type === 'audio')
    const duration = heard?.['duration'] ?? whole
    const seen = found.find(({ width }) => typeof width === 'number')
    return {
      format: String(name),
      seconds: typeof duration === 'string' ? Number(duration) : null,
      codecs: found.map(({ codec_name: codec }) => String(codec)),
      size: seen === undefined ? null : `${String(seen['width'])}x${String(seen['height'])}`,
      frames: found.reduce((sum, { nb_read_frames: frames }) => sum + Number(frames ?? 0), 0),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
