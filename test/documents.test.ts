import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')

/** Words in backticks that look like a file or a folder of the project. */
const named = (text: string): readonly string[] =>
  [...text.matchAll(/`([a-z][\w./-]*(?:\.(?:ts|tsx|md)|\/))`/g)].map((found) => found[1] ?? '')

test.each([
  ['src/README.md', 'src'],
  ['CONTRIBUTING.md', '.'],
])('%s names only files that exist', (file, base) => {
  const words = named(readFileSync(join(root, file), 'utf8'))
  expect(words.length).toBeGreaterThan(10)
  const lost = words.filter(
    (word) => ![base, '.', 'src'].some((folder) => existsSync(join(root, folder, word))),
  )
  expect(lost).toEqual([])
})

test('the README links only to pages that exist', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map((found) => found[1] ?? '')
  expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([])
})
