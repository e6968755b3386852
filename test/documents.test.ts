import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')

/** Words in backticks that look like a file or a folder of the project. */
const named = (text: string): readonly string[] =>
  [...text.matchAll(/`([a-z][\w./-]*(?:\.(?:ts|tsx|md)|\/))`/g)].map((found) => found[1] ?? '')

test.each([
  ['ARCHITECTURE.md', 'src'],
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

/** Addresses of other services, in documents and in sources of wire facts; `${…}` and `…` are filled in by readers. */
const externalLinks = (text: string): readonly string[] =>
  [...text.matchAll(/https?:\/\/[^\s\])>"'`<|\\]+/g)]
    .map(([link]) => link.replace(/[.,;:]+$/, ''))
    .filter((link) => !/[…${}]/.test(link))

const isHere = (host: string): boolean =>
  /^(?:localhost|127\.|10\.|192\.168\.|0\.0\.0\.0|\[)/.test(host) || !host.includes('.')

test('links to elsewhere are well formed, and encrypted unless they stay here', () => {
  const documents = ['*.md', 'src/**/*.{md,ts,tsx}', 'scripts/**/*.ts'].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync(root),
  ])
  const links = documents.flatMap((path) =>
    externalLinks(readFileSync(join(root, path), 'utf8')).map((link) => ({ path, link })),
  )
  expect(links.length).toBeGreaterThan(100)
  const wrong = links.filter(({ link }) => {
    const url = URL.parse(link)
    if (url === null || url.username !== '' || /\.\.|\/\/.*\/\//.test(link)) return true
    // The name of a namespace is no address, and nobody is asked at `.invalid`.
    const isName = link === 'http://www.w3.org/2000/svg' || url.hostname.endsWith('.invalid')
    return url.protocol === 'http:' && !isHere(url.hostname) && !isName
  })
  expect(wrong).toEqual([])
})
