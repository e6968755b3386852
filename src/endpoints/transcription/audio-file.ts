import type { AudioQuestion } from '../../vendors/audio-question'
import { invalid } from '../../formats/schema-fault'
import type { FormFile } from '../../http/form'
import { GatewayError } from '../../errors/gateway-error'
import type { Container } from '../../media/container'
import { readRecording } from '../../media/recording'
import type { SpooledFile } from '../../http/spool'

/** A recording that was sent, as vendors are told of it. */
export interface AudioFile {
  readonly content: SpooledFile
  readonly about: AudioQuestion['file']
  /** Upper bound of its length, by its bytes where nothing else tells; null where nothing does. */
  readonly maxSeconds: number | null
  /** How long it lasts was counted in its sound; otherwise its head only says so. */
  readonly isCounted: boolean
}

/** Containers whose samples are counted, as a decoder would. */
const counted: ReadonlySet<Container | null> = new Set(['wav', 'mp3'])

/** File extensions that vendors know, their containers, and the reference's names. */
const endings: Readonly<Record<string, { readonly container: Container; readonly type: string }>> =
  {
    mp3: { container: 'mp3', type: 'audio/mpeg' },
    mpga: { container: 'mp3', type: 'audio/mpeg' },
    mpeg: { container: 'mp3', type: 'audio/mpeg' },
    m4a: { container: 'mp4', type: 'audio/mp4' },
    mp4: { container: 'mp4', type: 'audio/mp4' },
    wav: { container: 'wav', type: 'audio/wav' },
    webm: { container: 'webm', type: 'audio/webm' },
    ogg: { container: 'ogg', type: 'audio/ogg' },
    oga: { container: 'ogg', type: 'audio/ogg' },
    flac: { container: 'flac', type: 'audio/flac' },
  }

/** Extension of a file with a wrong name or none. */
const usual: Readonly<Record<Container, string>> = {
  mp3: 'mp3',
  mp4: 'm4a',
  wav: 'wav',
  webm: 'webm',
  ogg: 'ogg',
  flac: 'flac',
}

/**
 * A file by what it holds: clients name recordings as they like, and a name may tell who is heard.
 * @throws missing_file | invalid_field when neither its bytes nor its name tell what it is
 */
export async function audioFileOf(file: FormFile | null): Promise<AudioFile> {
  if (file === null || file.content.size === 0)
    throw new GatewayError('missing_file', {}, { param: 'file' })
  const { content, filename } = file
  const { container, seconds, maxSeconds } = await readRecording(content)
  const named = /\.([a-z\d]+)$/i.exec(filename ?? '')?.[1]?.toLowerCase() ?? ''
  const isNamedRight =
    endings[named] !== undefined && (container === null || endings[named].container === container)
  const ending = isNamedRight ? named : container === null ? null : usual[container]
  const known = ending === null ? undefined : endings[ending]
  if (known === undefined) throw invalid('file', 'mp3 | mp4 | m4a | wav | webm | ogg | flac')
  const about = { filename: `audio.${ending}`, contentType: known.type, seconds }
  return { content, about, maxSeconds, isCounted: counted.has(container) }
}
