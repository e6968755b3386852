import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Work of others in the executable, as THIRD_PARTY_NOTICES heads it. */
export interface NoticedWork {
  readonly name: string
  /** Null for data, which have none. */
  readonly version: string | null
  /** An SPDX expression, or words. */
  readonly licence: string
}

export const noticesFile = join(import.meta.dir, '../THIRD_PARTY_NOTICES')
/** Behind it, what the executable contains; before it, data that files of ours are made of. */
export const packagesMark = '==== Packages in the executable ====\n'

/** Line that heads the notice of one work. */
export const noticeHead = ({ name, version, licence }: NoticedWork): string =>
  `---- ${name}${version === null ? '' : ` ${version}`} (${licence}) ----`

const headPattern = /^---- (.+) \(([^()]+)\) ----$/gm

/** Everything that the notices name: data first, then the runtime, then packages by name. */
export function noticedWork(text = readFileSync(noticesFile, 'utf8')) {
  const at = text.indexOf(packagesMark)
  const data = [...text.slice(0, at).matchAll(headPattern)].map(
    ([, name = '', licence = '']): NoticedWork => ({ name, version: null, licence }),
  )
  const [runtime, ...packages] = [...text.slice(at).matchAll(headPattern)].map(
    ([, head = '', licence = '']): NoticedWork => {
      const space = head.lastIndexOf(' ')
      return { name: head.slice(0, space), version: head.slice(space + 1), licence }
    },
  )
  if (runtime?.name !== 'Bun')
    throw new Error('THIRD_PARTY_NOTICES does not begin with the runtime')
  return { data, runtime, packages, linked: linkedIn(text.slice(at)) }
}

/** Libraries and packages that the runtime contains, of the tables in its notice. */
function linkedIn(text: string): readonly NoticedWork[] {
  const notice = text.slice(0, text.indexOf('\n---- ', text.indexOf('---- Bun')))
  const plain = (cell: string) =>
    cell.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
  return [...notice.matchAll(/^\| (.+?) \| (.+?) \|$/gm)]
    .map(([, name = '', licence = '']) => ({
      name: plain(name),
      version: null,
      licence: plain(licence),
    }))
    .filter(({ licence }) => !/^(?:License|---)$/.test(licence))
}
