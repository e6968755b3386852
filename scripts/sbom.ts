/** Software bill of materials of the executable: CycloneDX 1.6, JSON (ECMA-424). */
import lock from '../bun.lock'
import packageJson from '../package.json'
import { noticedWork, type NoticedWork } from './notices-list'

interface Built {
  readonly commit: string
  /** Of the commit, RFC 3339; empty where nobody knows it. */
  readonly time: string
}

/** Entry of a package in the lock file: id, registry, what it asks for, hash. */
type Locked = readonly [
  id: string,
  registry: string,
  more: { readonly dependencies?: Readonly<Record<string, string>> },
  integrity: string,
]

const packages = lock.packages as unknown as Readonly<Record<string, Locked>>
const idOf = ({ name, version }: NoticedWork): string => `${name}@${version}`

/** Package URL (ECMA-427): the scope is a namespace, its `@` is escaped. */
const purlOf = ({ name, version }: NoticedWork): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`

const spdxIds = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'])
const spdxMore = ['BlueOak-1.0.0', 'Unlicense', 'OFL-1.1', 'MIT-0']
for (const id of spdxMore) spdxIds.add(id)

function licencesOf({ licence }: NoticedWork) {
  if (spdxIds.has(licence)) return [{ license: { id: licence } }]
  return licence.split(/ (?:AND|OR) /).every((id) => spdxIds.has(id))
    ? [{ expression: licence }]
    : [{ license: { name: licence } }]
}

/** @throws RangeError for a package that the lock file does not have */
function componentOf(work: NoticedWork) {
  const [, , , integrity] = lockedAs(work)[1]
  const [, hash] = /^sha512-(.+)$/.exec(integrity) ?? []
  if (hash === undefined) throw new RangeError(`bun.lock has no hash of ${idOf(work)}`)
  const slash = work.name.indexOf('/')
  const group = slash === -1 ? {} : { group: work.name.slice(0, slash) }
  return {
    type: 'library',
    'bom-ref': purlOf(work),
    ...group,
    name: work.name.slice(slash + 1),
    version: work.version,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    licenses: licencesOf(work),
    purl: purlOf(work),
  }
}

function lockedAs(work: NoticedWork): readonly [place: string, locked: Locked] {
  const found = Object.entries(packages).find(([, [id]]) => id === idOf(work))
  if (found === undefined) throw new RangeError(`bun.lock has no ${idOf(work)}`)
  return found
}

/** What a package asks for, of what is in the executable. A place of its own goes before the common one. */
function dependsOn(work: NoticedWork, refs: ReadonlyMap<string, string>): readonly string[] {
  const [place, [, , more]] = lockedAs(work)
  return Object.keys(more.dependencies ?? {})
    .map((name) => (packages[`${place}/${name}`] ?? packages[name])?.[0] ?? '')
    .flatMap((id) => refs.get(id) ?? [])
    .toSorted()
}

function runtimeOf(runtime: NoticedWork, linked: readonly NoticedWork[]) {
  return {
    type: 'framework',
    'bom-ref': `pkg:npm/bun@${runtime.version}`,
    name: 'bun',
    version: runtime.version,
    description: 'Runtime that the executable embeds',
    licenses: licencesOf(runtime),
    purl: `pkg:npm/bun@${runtime.version}`,
    components: linked.map((work) => ({
      type: 'library',
      name: work.name,
      licenses: licencesOf(work),
    })),
  }
}

const dataOf = (work: NoticedWork) => ({
  type: 'data',
  'bom-ref': `data:${work.name.replaceAll(/[^\w./-]+/g, '-')}`,
  name: work.name,
  licenses: licencesOf(work),
})

/** The document, the same for the same sources. */
export function sbom({ commit, time }: Built): object {
  const noticed = noticedWork()
  const refs = new Map(noticed.packages.map((work) => [idOf(work), purlOf(work)]))
  const components = [
    runtimeOf(noticed.runtime, noticed.linked),
    ...noticed.packages.map(componentOf),
    ...noticed.data.map(dataOf),
  ]
  const self = `pkg:generic/chapar@${packageJson.version}`
  const body = {
    version: 1,
    metadata: {
      ...(time === '' ? {} : { timestamp: time }),
      component: {
        type: 'application',
        'bom-ref': self,
        name: packageJson.name,
        version: packageJson.version,
        description: packageJson.description,
        licenses: [{ license: { id: packageJson.license } }],
        purl: self,
        properties: [{ name: 'chapar:commit', value: commit }],
      },
    },
    components,
    dependencies: [
      { ref: self, dependsOn: components.map((each) => each['bom-ref']).toSorted() },
      ...noticed.packages.map((work) => ({ ref: purlOf(work), dependsOn: dependsOn(work, refs) })),
    ],
  }
  return { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: serialOf(body), ...body }
}

/** A name-based UUID of the contents (RFC 9562, version 8). */
function serialOf(body: object): string {
  const hex = new Bun.CryptoHasher('sha256').update(JSON.stringify(body)).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return `urn:uuid:${parts.join('-')}`
}
