import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findingCodes } from '../../src/business/operations/finding'
import { causeCodes, causeTexts, readCause } from '../../src/business/pricing/causes'
import { filledText } from '../../src/domain/coded-texts'
import {
  readSourceProblem,
  sourceProblemCodes,
  sourceProblemTexts,
} from '../../src/business/pricing/source-problems'
import { registry } from '../../src/gateway/settings/registry'
import { remarkCodes, remarkTexts } from '../../src/gateway/settings/remarks'
import { isolatedCommands } from '../../src/web/operator/isolated-commands'
import { faFindings } from '../../src/web/operator/texts/fa-findings'
import {
  faCauses,
  faMeanings,
  faRemarks,
  faSourceProblems,
} from '../../src/web/operator/texts/fa-meanings'

const persian = /[\u0600-\u06ff]/

test('every setting says in both languages what it is for and how it is written', () => {
  const settings = Object.values(registry)
  expect(Object.keys(faMeanings).toSorted()).toEqual(settings.map(({ name }) => name).toSorted())
  for (const { name, about, type } of settings) {
    const meaning = faMeanings[name]
    expect([name, about.length > 10, type.written.length > 3]).toEqual([name, true, true])
    expect([name, persian.test(meaning?.about ?? '')]).toEqual([name, true])
    expect([name, persian.test(meaning?.written ?? '')]).toEqual([name, true])
  }
})

const factsIn = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, fact = '']) => fact).toSorted()

test('every remark on a setting has Persian words with the same facts', () => {
  expect(Object.keys(faRemarks).toSorted()).toEqual([...remarkCodes].toSorted())
  for (const code of remarkCodes) {
    expect([code, persian.test(faRemarks[code])]).toEqual([code, true])
    expect([code, factsIn(faRemarks[code])]).toEqual([code, factsIn(remarkTexts[code])])
  }
})

test('every cause of a proposal has Persian words, and is known by its text with its facts', () => {
  expect(Object.keys(faCauses).toSorted()).toEqual([...causeCodes].toSorted())
  for (const code of causeCodes) {
    expect([code, persian.test(faCauses[code])]).toEqual([code, true])
    const names = factsIn(causeTexts[code])
    expect([code, factsIn(faCauses[code])]).toEqual([code, names])
    const facts = Object.fromEntries(names.map((name) => [name, `a (${name}) added: b/c.d`]))
    const text = causeTexts[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? '')
    expect(readCause(text)).toEqual({ code, facts })
  }
  expect(readCause('in other words')).toBeNull()
})

test('every problem of a source of prices has Persian words, and is known by its text with its facts', () => {
  expect(Object.keys(faSourceProblems).toSorted()).toEqual([...sourceProblemCodes].toSorted())
  for (const code of sourceProblemCodes) {
    expect([code, persian.test(faSourceProblems[code])]).toEqual([code, true])
    const names = factsIn(sourceProblemTexts[code])
    expect([code, factsIn(faSourceProblems[code])]).toEqual([code, names])
    const facts = Object.fromEntries(names.map((name) => [name, `https://a.example/(${name})`]))
    const text = filledText(sourceProblemTexts[code], facts)
    expect(readSourceProblem(text)).toEqual({ code, facts })
    expect(readSourceProblem(`x-ai.json: ${text}`)).toEqual({
      code,
      facts: { ...facts, file: 'x-ai.json' },
    })
  }
  expect(readSourceProblem('in other words')).toBeNull()
})

const settling = [...new Bun.Glob('**/*.ts').scanSync(join(import.meta.dir, '../../src'))]

test('prices are settled and proposed for causes that are listed', () => {
  const told = settling.flatMap((path) => {
    const text = readFileSync(join(import.meta.dir, '../../src', path), 'utf8')
    const calls = text.matchAll(/\b(?:settlePrices|outcomeOf)\([^;\n]*,\s*(['`].*)/g)
    return Array.from(calls, ([, cause = '']) => `${path}: ${cause}`)
  })
  expect(told).toEqual([])
})

const source = ['doctor/ledger', 'doctor/catalogue', 'doctor/secrets', 'doctor/vendors']
  .map((name) => `business/operations/${name}.ts`)
  .concat('server/machine-checks.ts', 'server/node-checks.ts')
  .map((path) => readFileSync(join(import.meta.dir, '../../src', path), 'utf8'))
  .join('\n')

test('every finding of the doctor is made somewhere, and has Persian words with its facts', () => {
  expect(Object.keys(faFindings).toSorted()).toEqual([...findingCodes].toSorted())
  for (const code of findingCodes) {
    const { check, found, advice = '' } = faFindings[code]
    expect([code, source.includes(`'${code}'`)]).toEqual([code, true])
    expect([code, persian.test(check)]).toEqual([code, true])
    for (const [, fact] of `${check} ${found} ${advice}`.matchAll(/\{(\w+)\}/g)) {
      // Facts stand beside the code where the finding is made.
      const made = source.slice(source.indexOf(`'${code}'`))
      expect([code, fact, new RegExp(`\\b${fact}\\b`).test(made)]).toEqual([code, fact, true])
    }
  }
})

test('commands in Persian texts are one piece that reads from left to right', () => {
  const shown = (text: string) =>
    isolatedCommands(text).replaceAll('\u2066', '[').replaceAll('\u2069', ']')
  expect(shown('دسترسی را بردارید: chmod -R go= {folder}')).toBe(
    'دسترسی را بردارید: [chmod -R go= {folder}]',
  )
  expect(shown('chapar model set ID --fallbacks … (یا --alias-of …)')).toBe(
    '[chapar model set ID --fallbacks …] (یا [--alias-of …])',
  )
  expect(shown('{folder} تنها از آنِ صاحبش است.')).toBe('{folder} تنها از آنِ صاحبش است.')
  expect(shown('یا کلیدی مانند OPENAI_API_KEY.')).toBe('یا کلیدی مانند [OPENAI_API_KEY].')
})
