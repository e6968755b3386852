import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { buildProgram } from '../../src/cli/program'
import { describeCommands } from '../../src/cli/kit/describe-commands'
import { anchorOf } from '../../src/console/guide-render'
import { codes } from '../../src/errors/codes'
import { formerNames, guidePages } from '../../src/guide/pages'
import { registry } from '../../src/gateway/settings/registry'
import { openTestGateway } from '../support/gateway'

const root = join(import.meta.dir, '../..')
const folders = ['src/guide/en', 'src/guide/fa']
const files = [
  'README.md',
  'CONTRIBUTING.md',
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  ),
]
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const headingsOf = (text: string) =>
  [...text.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

describe('pages', () => {
  test('are all served, and none that is not there', () => {
    const pages = guidePages.flatMap(({ name, fa }) => [
      `src/guide/en/${name}.md`,
      ...(fa === undefined ? [] : [`src/guide/fa/${name}.md`]),
    ])
    expect(pages.sort()).toEqual(files.filter((file) => file.startsWith('src/guide/')).sort())
    for (const former of formerNames.values())
      expect(guidePages.map(({ name }) => name)).toContain(former)
  })

  test('in both languages say the same in them', () => {
    const pages = guidePages.filter(({ fa }) => fa !== undefined)
    expect(pages.map(({ name }) => name)).toEqual([
      'start',
      'keys',
      'money',
      'limits',
      'errors',
      'clients',
      'fields',
      'rotate-key',
    ])
    const bonesOf = (text: string) => ({
      headings: headingsOf(text).length,
      blocks: text.match(/^```\w+$/gm) ?? [],
      codes: [...new Set(text.match(/`[a-z]+_[a-z_]+`/g) ?? [])].sort(),
      links: [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link.replace(/.*\//, '')),
    })
    for (const { name, en, fa = '' } of pages)
      expect({ name, ...bonesOf(fa) }).toEqual({ name, ...bonesOf(en) })
  })

  test.each(files)('%s links to what is there', (file) => {
    const text = textOf(file)
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const lost = links.filter((link) => {
      if (/^https?:/.test(link)) return !link.startsWith('https://ai.example.com/')
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? join(root, file) : join(root, dirname(file), path)
      if (!existsSync(target)) return true
      return anchor !== undefined && !headingsOf(readFileSync(target, 'utf8')).includes(anchor)
    })
    expect(lost).toEqual([])
  })
})

describe('commands in pages', () => {
  const program = buildProgram()
  const mentioned = files.flatMap((file) =>
    commandsIn(textOf(file)).map((line) => ({ file, line })),
  )

  test('are many', () => expect(mentioned.length).toBeGreaterThan(60))

  test.each(mentioned)('$file: $line', ({ line }) => expect(faultsOf(program, line)).toEqual([]))

  test('are all in the table of those who operate', () => {
    const [table = ''] = textOf('src/guide/en/operate.md').match(/^\| command[\s\S]*?\n\n/m) ?? []
    const rows = table.split('\n').map((row) => row.split(' | ')[0]?.replaceAll('\\|', ' ') ?? '')
    const named = new Set(rows.flatMap((row) => row.match(/[a-z]+/g) ?? []))
    expect(program.commands.map((each) => each.name()).filter((name) => !named.has(name))).toEqual(
      [],
    )
  })

  test('have the options that pages name beside them', () => {
    const known = new Set(optionsOf(program))
    const lost = files
      .filter((file) => !file.endsWith('/performance.md') && file !== 'CONTRIBUTING.md')
      .flatMap((file) =>
        [...textOf(file).matchAll(/`(--[a-z-]+)[^`]*`/g)].map(([, option = '']) => option),
      )
      .filter((option) => !known.has(option) && !othersOptions.has(option))
    expect(lost).toEqual([])
  })
})

/** Options of other programs. */
const othersOptions = new Set(['--config', '--help'])

const optionsOf = (command: Command): readonly string[] => [
  ...command.options.map(({ long }) => long ?? ''),
  ...command.commands.flatMap(optionsOf),
]

/** Lines of shell and words in backticks that call the program. */
function commandsIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) =>
    block.replaceAll('\\\n', ' '),
  )
  const inline = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`(chapar [^`]+)`/g)]
  const lines = [
    ...blocks.flatMap((block) => block.split('\n')),
    ...inline.map(([, one = '']) => one),
  ]
  return lines.flatMap((line) =>
    [
      ...line
        .replace(/(^|\s)#.*/, '')
        .matchAll(/(?<!-u )(?:^|[\s("])chapar (?!chapar )([a-z][\w-]*(?=[ )"]|$)[^|&;<>)]*)/g),
    ].map(([, one = '']) => one.replaceAll(/\s+/g, ' ').trim()),
  )
}

/** What of a call the program does not know. */
function faultsOf(program: Command, line: string): readonly string[] {
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  let command = program
  let at = 0
  for (; at < words.length; at++) {
    const next = command.commands.find((each) => each.name() === words[at])
    if (next === undefined) break
    command = next
  }
  if (command.commands.length > 0 && at < words.length && !/^(-|…)/.test(words[at] ?? ''))
    return [`no ${words[at] ?? ''} in ${command.name()}`]
  const known = new Set(['--help', ...command.options.map(({ long }) => long ?? '')])
  return words
    .slice(at)
    .filter((word) => word.startsWith('--'))
    .map((word) => word.replace(/=.*/, ''))
    .filter((word) => !known.has(word))
}

test('alert rules and the dashboard name metrics that there are', () => {
  const known = new Set(textOf('src/guide/en/metrics.md').match(/\b(?:chapar|process)_[a-z_]+\b/g))
  const page = textOf('src/guide/en/alerts.md')
  const named = (page.match(/\b(?:chapar|process)_[a-z_]+\b/g) ?? []).map((name) =>
    name.replace(/_bucket$/, ''),
  )
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !known.has(name))).toEqual([])
  for (const [, json = ''] of page.matchAll(/^```json\n([\s\S]*?)^```/gm)) JSON.parse(json)
})

const gateway = await openTestGateway({ web: true })

describe('the guide over HTTP', () => {
  const origin = new URL(gateway.url).origin
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(origin + path, { headers, redirect: 'manual' })
    return {
      status: response.status,
      location: response.headers.get('location'),
      text: await response.text(),
    }
  }

  test('every page, and every link to another one', async () => {
    for (const { name, group } of guidePages)
      for (const language of ['en', 'fa']) {
        const { status, text } = await get(`/docs/${language}/${name}`)
        expect({ name, status }).toEqual({ name, status: 200 })
        const links = [...text.matchAll(/href="(\/docs\/[^"#?]+)/g)].map(([, link = '']) => link)
        const names = links.map((link) => link.replace(/.*\//, ''))
        const isPage = (name: string) => guidePages.some((page) => page.name === name)
        expect(names.filter((each) => each !== 'reference' && !isPage(each))).toEqual([])
        expect(text).not.toContain('<!-- ')
        if (group === 'customers') expect(text).not.toContain('ai.example.com')
      }
  })

  test('follows the reader’s language, and the address that says another', async () => {
    const persian = { 'accept-language': 'fa' }
    expect((await get('/docs/keys', persian)).text).toContain('<h1>کلیدها</h1>')
    expect((await get('/docs/keys', { 'accept-language': 'en' })).text).toContain('<h1>Keys</h1>')
    expect((await get('/docs/en/keys', persian)).text).toContain('<h1>Keys</h1>')
    const onlyEnglish = await get('/docs/operate', persian)
    expect(onlyEnglish.text).toContain('<html lang="fa" dir="rtl"')
    expect(onlyEnglish.text).toContain('<main lang="en" dir="ltr">')
  })

  test('tells of every code and every setting', async () => {
    const { text: errors } = await get('/docs/en/errors')
    const named = Object.entries(codes).filter(([, row]) => !('wireCode' in row))
    expect(named.filter(([code]) => !errors.includes(`>${code}<`))).toEqual([])
    const { text: settings } = await get('/docs/en/settings')
    const lost = Object.values(registry).filter(({ name }) => !settings.includes(`>${name}<`))
    expect(lost).toEqual([])
  })

  test('finds words in both languages, and says so where there is nothing', async () => {
    const found = await get('/docs/en/search?q=webhook%20signed')
    expect(found.text).toMatch(/<li[^>]*><a href="\/docs\/en\/notices/)
    const ofKeys = await get(`/docs/fa/search?q=${encodeURIComponent('كليد')}`)
    expect(ofKeys.text).toContain('href="/docs/fa/keys')
    const nothing = await get(`/docs/en/search?q=${encodeURIComponent('<script>xyzzy')}`)
    expect(nothing.text).toContain('Nothing was found.')
    expect(nothing.text).toContain('value="&lt;script&gt;xyzzy"')
    expect(nothing.text).not.toContain('<script>')
  })

  test('has the reference among its pages, in both languages', async () => {
    const persian = await get('/docs', { 'accept-language': 'fa' })
    expect(persian).toMatchObject({ status: 200 })
    expect(persian.text).toContain('<main lang="fa" dir="rtl">')
    expect(persian.text).toContain('یک پاسخ از هر مدل گفت‌وگو، جاری یا یک‌جا.')
    expect(persian.text).toContain('href="/docs/en/reference"')
    const english = await get('/docs/en/reference')
    expect(english.text).toContain('One answer of any chat model, streamed or whole.')
    expect(english.text).toContain('href="/docs/en/reference" aria-current="page"')
    const found = await get('/docs/fa/search?q=compact')
    expect(found.text).toContain('href="/docs/fa/reference#')
    expect((await get('/openapi.json')).status).toBe(200)
  })

  test('leads from its former addresses', async () => {
    expect(await get('/guide')).toMatchObject({ status: 301, location: '/docs/start' })
    expect(await get('/guide/watching')).toMatchObject({ location: '/docs/metrics' })
    expect(await get('/docs/watching')).toMatchObject({ location: '/docs/metrics' })
    expect((await get('/docs/nothing')).status).toBe(404)
  })
})

test('the page of commands has the help of each', () => {
  const text = describeCommands(buildProgram())
  expect(text).toContain('## Customers and money\n')
  expect(text).toContain('### account create\n')
  expect(text).toContain('Example:\n  chapar account create')
  expect(text.match(/^### /gm)?.length).toBeGreaterThan(60)
})
