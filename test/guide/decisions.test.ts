import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codes } from '../../src/errors/codes'
import { reference, table } from '../../src/gateway/api/table'
import { registry } from '../../src/gateway/settings/registry'

const file = join(import.meta.dir, '../../src/guide/en/decisions.md')
/** Its words may be broken between lines. */
const page = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ')

/** Everything that the page has in backticks, once each. */
const named = [...new Set([...page.matchAll(/`([^`]+)`/g)].map((each) => each[1] ?? ''))]
const document = JSON.stringify(reference.document())
const settings = new Set<string>(Object.values(registry).map(({ name }) => name))
/** Words of vendors' and clients' formats that the document of the interface does not have. */
const ofOthers = new Set([
  'user_id',
  'metadata.user_id',
  'details.error_code',
  'safety_identifier',
  'openai-safety-identifier',
  'openai-poll-after-ms',
  'file_data',
  'file_url',
  'source.url',
  'server_url',
])

/** Whether a code, member, header or setting is called so. */
const isKnown = (name: string): boolean =>
  Object.hasOwn(codes, name) ||
  settings.has(name) ||
  ofOthers.has(name) ||
  name.split('.').every((part) => new RegExp(`\\b${part}\\b`).test(document))

describe('the page of decisions', () => {
  test('names paths and methods that there are', () => {
    const paths = named.flatMap((name) => {
      const [, method, path] = /^(?:([A-Z]+) )?(\/v1\/\S+)$/.exec(name) ?? []
      return path === undefined ? [] : [{ name, method, path: path.replace('{id}', '*') }]
    })
    expect(paths.length).toBeGreaterThan(10)
    const isServed = ({ method, path }: (typeof paths)[number]) =>
      table.some((row) => row.path === path && (method === undefined || row.method === method))
    expect(paths.filter((each) => !isServed(each))).toEqual([])
  })

  test('names codes, members, headers and settings that there are', () => {
    const words = named.filter((name) => /^[a-z]+(?:[-_.][a-z]+)+$/.test(name))
    expect(words.length).toBeGreaterThan(30)
    expect(words.filter((name) => !isKnown(name))).toEqual([])
  })
})
