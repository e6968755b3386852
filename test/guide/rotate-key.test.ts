import { expect, test } from 'bun:test'
import { hashedWords, sealedWords } from '../../src/cli/local/secret-words'
import { guidePages } from '../../src/guide/pages'
import { hashedKinds, sealedKinds } from '../../src/business/data/secrets/secret-store'
import { hashedColumns } from '../../src/business/data/secrets/secret-columns'

const page = guidePages.find(({ name }) => name === 'rotate-key')
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))

test('the page about rotations has a row for each kind of hash, by the names of the command', () => {
  const rows = rowsOf(page?.en ?? '')
  expect(rows.map(([, name]) => name)).toEqual(hashedKinds.map((kind) => hashedWords[kind][0]))
  for (const [at, kind] of hashedKinds.entries()) {
    const during = rows[at]?.[2] ?? ''
    const { during: how } = hashedColumns[kind]
    if (how === 'rehashed on use') expect(`${kind} ${during}`).toContain('hashed anew by')
    if (how === 'used once') expect(`${kind} ${during}`).toContain('once each')
  }
  expect(rowsOf(page?.fa ?? '')).toHaveLength(rows.length)
})

test('it names each kind of sealed text', () => {
  const text = (page?.en ?? '').replaceAll(/\s+/g, ' ')
  expect<number>(sealedKinds.length).toBe(Object.keys(sealedWords).length)
  const words = [
    'credentials of vendors',
    'keys of SMS providers',
    'card gateways',
    'of mail and verification',
  ]
  const more = [
    'sister service',
    'webhooks of accounts',
    'one-time codes of operators',
    'links to operators',
  ]
  for (const each of [...words, ...more, 'national codes']) expect(text).toContain(each)
})
