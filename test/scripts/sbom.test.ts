import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { sbom } from '../../scripts/sbom'
import packageJson from '../../package.json'

interface Component {
  readonly type: string
  readonly 'bom-ref'?: string
  readonly group?: string
  readonly name: string
  readonly version?: string
  readonly purl?: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly licenses: readonly object[]
  readonly components?: readonly Component[]
}

interface Bom {
  readonly bomFormat: string
  readonly specVersion: string
  readonly serialNumber: string
  readonly version: number
  readonly metadata: { readonly timestamp: string; readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const built = { commit: '0123456789ab', time: '2026-11-28T18:00:00+00:00' }
const bom = sbom(built) as Bom
const root = join(import.meta.dir, '../..')
const libraries = bom.components.filter(({ type }) => type === 'library')
const fullName = ({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`)

test('has the members that CycloneDX 1.6 requires, in their forms', () => {
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
  expect(bom.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  )
  expect(Date.parse(bom.metadata.timestamp)).not.toBeNaN()
  const all = [bom.metadata.component, ...bom.components]
  for (const { type, name, licenses } of all.flatMap((each) => [
    each,
    ...(each.components ?? []),
  ])) {
    expect(['application', 'framework', 'library', 'data']).toContain(type)
    expect(name).not.toBe('')
    expect(licenses).toHaveLength(1)
  }
  const refs = all.map((each) => each['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  for (const { ref, dependsOn } of bom.dependencies) {
    expect(refs).toContain(ref)
    for (const each of dependsOn) expect(refs).toContain(each)
    expect(new Set(dependsOn).size).toBe(dependsOn.length)
  }
  for (const { hashes = [], purl } of libraries) {
    expect(hashes).toEqual([
      { alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string },
    ])
    expect(purl).toMatch(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d[\w.+-]*$/)
  }
})

test('names each package of the notices, with its licence, and no other', () => {
  const notices = readFileSync(join(root, 'THIRD_PARTY_NOTICES'), 'utf8')
  const [, packages = ''] = notices.split('==== Packages in the executable ====')
  const noticed = [...packages.matchAll(/^---- (\S+) (\S+) \((.+)\) ----$/gm)]
    .map(([, name, version, licence]) => `${name} ${version} ${licence}`)
    .filter((each) => !each.startsWith('Bun '))
  const named = libraries.map(
    (each) =>
      `${fullName(each)} ${each.version} ${Object.values(each.licenses[0] ?? {})
        .map((licence: unknown) =>
          typeof licence === 'string' ? licence : Object.values(licence as object).join(),
        )
        .join()}`,
  )
  expect(named).toEqual(noticed)
  expect(named.length).toBeGreaterThan(100)
})

test('names the runtime that is embedded, and what is linked into it', () => {
  const runtime = bom.components.find(({ type }) => type === 'framework')
  expect(runtime).toMatchObject({ name: 'bun', version: packageJson.devDependencies.bun })
  expect(Bun.version).toBe(packageJson.devDependencies.bun)
  const linked = (runtime?.components ?? []).map(({ name }) => name)
  for (const name of ['boringssl', 'mimalloc', 'simdutf', 'acorn']) expect(linked).toContain(name)
})

test('is the same each time, and tells nothing of the machine or a registry', () => {
  expect(JSON.stringify(sbom(built))).toBe(JSON.stringify(bom))
  expect(JSON.stringify(sbom({ ...built, commit: 'other' }))).not.toBe(JSON.stringify(bom))
  const text = JSON.stringify(bom)
  for (const word of ['http://', 'https://', 'registry', root, homedir()])
    expect(`${word} ${text.includes(word)}`).toBe(`${word} false`)
})
