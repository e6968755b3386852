import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { holderStatus, paymentStatus } from '../../src/console/api/console-api'
import { readCodes } from '../../src/console/api/page-refusal'
import { peopleStatus } from '../../src/console/api/people-status'
import { operatorEn as operatorEnFirst } from '../../src/web/operator/texts/en-operator'
import { enOperatorPrices } from '../../src/web/operator/texts/en-prices'
import { enOperatorVendors } from '../../src/web/operator/texts/en-vendors'
import { operatorFa as operatorFaFirst } from '../../src/web/operator/texts/fa-operator'
import { faOperatorPrices } from '../../src/web/operator/texts/fa-prices'
import { faOperatorVendors } from '../../src/web/operator/texts/fa-vendors'
import { en as enFirst } from '../../src/web/texts/en'
import { enMembers } from '../../src/web/texts/en-members'
import { enNotices } from '../../src/web/texts/en-notices'
import { enPayment } from '../../src/web/texts/en-payment'
import { enUsage } from '../../src/web/texts/en-usage'
import { enVerify } from '../../src/web/texts/en-verify'
import { enModels } from '../../src/web/texts/en-models'
import { enPlayground } from '../../src/web/texts/en-playground'
import { fa as faFirst } from '../../src/web/texts/fa'
import { faMembers } from '../../src/web/texts/fa-members'
import { faNotices } from '../../src/web/texts/fa-notices'
import { faPayment } from '../../src/web/texts/fa-payment'
import { faUsage } from '../../src/web/texts/fa-usage'
import { faVerify } from '../../src/web/texts/fa-verify'
import { faModels } from '../../src/web/texts/fa-models'
import { faPlayground } from '../../src/web/texts/fa-playground'

/** Those of the first screen, and those that come with pages of their own. */
const fa = {
  ...faFirst,
  ...faMembers,
  ...faModels,
  ...faPlayground,
  ...faNotices,
  ...faPayment,
  ...faUsage,
  ...faVerify,
}
const en = {
  ...enFirst,
  ...enMembers,
  ...enModels,
  ...enPlayground,
  ...enNotices,
  ...enPayment,
  ...enUsage,
  ...enVerify,
}
const operatorFa = { ...operatorFaFirst, ...faOperatorPrices, ...faOperatorVendors }
const operatorEn = { ...operatorEnFirst, ...enOperatorPrices, ...enOperatorVendors }

type Tree = { readonly [key: string]: string | Tree }

/** Every text with its path. */
const textsOf = (tree: Tree, path = ''): readonly (readonly [string, string])[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] as const]
      : textsOf(value, `${path}${key}.`),
  )

/** Names of what is filled in, and of tags; what is inside of a plural counts once. */
const placeholders = (text: string): readonly string[] =>
  [
    ...new Set(
      [...text.matchAll(/\{(\w+)[,}]|<(\w+)>/g)].map(([, name, tag]) => name ?? tag ?? ''),
    ),
  ].toSorted()

const source = join(import.meta.dir, '../../src')
const filesOf = (glob: string) =>
  [...new Bun.Glob(glob).scanSync(source)].map((path) => readFileSync(join(source, path), 'utf8'))

/** Those of customers' pages, and those of the console. */
const collections: readonly (readonly [string, Tree, Tree])[] = [
  ['the web app', fa, en],
  ['the console', operatorFa, operatorEn],
]

test.each([...collections])(
  '%s has the same texts in both languages, with the same facts',
  (_, fa, en) => {
    const facts = (tree: Tree) =>
      Object.fromEntries(textsOf(tree).map(([path, text]) => [path, placeholders(text)]))
    expect(facts(en)).toEqual(facts(fa))
    expect(textsOf(fa).length).toBeGreaterThan(50)
  },
)

/** Nothing but facts is in no language. */
const isWordless = (text: string): boolean => /^(?:\{\w+\}|[\s:.])+$/.test(text)

test.each([...collections])('%s has no empty text, and each in its language', (_, fa, en) => {
  const isPersian = (text: string) => /[آ-ی]/.test(text)
  expect(textsOf(en).filter(([, text]) => isPersian(text) || text.trim() === '')).toEqual([])
  expect(textsOf(fa).filter(([, text]) => !isPersian(text) && !isWordless(text))).toEqual([])
})

test('every refusal of an operator’s sign-in has a text in the console', () => {
  const thrown = filesOf('business/operators/*.ts').flatMap((text) => [
    ...text.matchAll(/new OperatorRefusal\(\s*'(\w+)'/g),
  ])
  const codes = [...new Set(thrown.map(([, code]) => code ?? ''))]
  expect(codes.length).toBeGreaterThan(5)
  const told = { ...fa.errors, ...operatorFa.errors }
  expect(codes.filter((code) => !(code in told))).toEqual([])
})

test('every refusal of the API has a text', () => {
  const thrown = filesOf('console/**/*.ts').flatMap((text) => [
    ...text.matchAll(/new Refusal\(\s*\d+,\s*'(\w+)'|refused\(\d+, '(\w+)'|\bcode: '([a-z_]+)'/g),
  ])
  const codes = [
    ...Object.keys(peopleStatus),
    ...Object.keys(holderStatus),
    ...Object.keys(paymentStatus),
    ...readCodes,
    ...thrown.map(([, ...names]) => names.find(Boolean) ?? ''),
  ]
  expect(codes).toContain('signed_out')
  expect(codes).toContain('not_found')
  expect(codes.filter((code) => !(code in fa.errors))).toEqual([])
})

test('no text is without use', () => {
  const used = filesOf('web/**/*.{ts,tsx}').join('\n')
  // Such as `${name}Lead`: names of which a part is known.
  const templates = [...used.matchAll(/`((?:\w*\$\{\w+\}\w*)+)`/g)]
    .map(([, text = '']) => text)
    .filter((text) => text.replaceAll(/\$\{\w+\}/g, '').length > 2)
    .map((text) => new RegExp(`^${text.replaceAll(/\$\{\w+\}/g, '\\w+')}$`))
  const unused = [...textsOf(fa), ...textsOf(operatorFa)].filter(([path]) => {
    const key = path.split('.').at(-1) ?? ''
    // The server names those, or a table of fields.
    return (
      !/^(?:errors|problems|noticeTopics|noticeWays|attention|videoJobs|traitWords|modelState|vendorTrial|billFinding|billUnit|limitFields)\.|^steps\.customer$|^vendors\.(?:refuses_key|out_of_money)$/.test(
        path,
      ) &&
      !new RegExp(`['"\`.]${key}['"\`]`).test(used) &&
      !templates.some((template) => template.test(key))
    )
  })
  expect(unused.map(([path]) => path)).toEqual([])
})
