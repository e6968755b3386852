import { operationRows } from '../business/operations/table'
import { codes, type CodeRow, type ErrorCode } from '../errors/codes'
import { exampleFacts } from '../errors/example-facts'
import { noLinks, type Links } from '../errors/links'
import { en } from '../errors/texts-en'
import { fa } from '../errors/texts-fa'
import type { GuideLanguage } from '../guide/pages'
import { fieldTables } from './guide-fields'
import { registry } from '../gateway/settings/registry'

/** What pages leave to the program to tell: a line with this mark alone becomes what is made of it. */
const marks = {
  '<!-- errors -->': errorTable,
  '<!-- settings -->': settingTable,
  '<!-- operations -->': operationTable,
  '<!-- fields -->': membersOfRequests,
} as const

/** Help of the program's commands, as Markdown. */
export type DescribeCommands = () => string

/** A page's Markdown with its tables in place. */
export function withTables(
  text: string,
  language: GuideLanguage,
  describeCommands: DescribeCommands,
): string {
  let out = text
  for (const [mark, make] of Object.entries(marks))
    if (out.includes(mark)) out = out.replace(mark, () => make(language))
  if (out.includes(commandMark)) out = out.replace(commandMark, describeCommands)
  return out
}

const commandMark = '<!-- commands -->'

const told = {
  en: {
    errors: ['status', '`code`', 'again?', 'a message it may come with'],
    settings: ['setting', 'default', 'what it does', 'variable'],
    operations: ['below `/admin/v1`', 'least role', 'what it does'],
    yes: 'yes',
    no: 'no',
  },
  fa: {
    errors: ['وضعیت', '`code`', 'تکرار؟', 'نمونهٔ پیام'],
    settings: ['تنظیم', 'پیش‌فرض', 'کار', 'متغیر'],
    operations: ['زیر `/admin/v1`', 'کمترین نقش', 'کار'],
    yes: 'بله',
    no: 'نه',
  },
} as const

function errorTable(language: GuideLanguage): string {
  const { errors, yes, no } = told[language]
  const rows = (Object.keys(codes) as ErrorCode[]).map((code) => [
    String(codes[code].status),
    nameOf(code),
    isWorthRepeating(code) ? yes : no,
    messageOf(code, language),
  ])
  return tableOf(errors, rows)
}

/** Some have no code on the wire, as the reference format has none for them. */
function nameOf(code: ErrorCode): string {
  const row: CodeRow = codes[code]
  return row.wireCode === null ? '`null`' : `\`${code}\``
}

/** Whether the same request may pass later, as official clients take it by status and header. */
function isWorthRepeating(code: ErrorCode): boolean {
  const { status, permanent }: CodeRow = codes[code]
  return (status === 408 || status === 429 || status >= 500) && permanent !== true
}

const messages: Readonly<Record<GuideLanguage, typeof fa | typeof en>> = { en, fa }

function messageOf(code: ErrorCode, language: GuideLanguage): string {
  const message = messages[language][code] as (facts: unknown, links: Links) => string
  return message(exampleFacts(code), noLinks)
}

function settingTable(language: GuideLanguage): string {
  const rows = Object.values(registry).map(({ name, type, preset, variable, about }) => [
    `\`${name}\``,
    `\`${preset}\``,
    `${about} (${type.written})`,
    variable === null ? '' : `\`${variable}\``,
  ])
  return tableOf(told[language].settings, rows)
}

function operationTable(language: GuideLanguage): string {
  const rows = operationRows.map(({ method, path, role, about }) => [
    `\`${method} ${path}\``,
    `\`${role}\``,
    about,
  ])
  return tableOf(told[language].operations, rows)
}

function membersOfRequests(language: GuideLanguage): string {
  const tables = fieldTables(language)
  return tables
    .map(({ title, heads, rows }) => `## ${title}\n\n${tableOf(heads, rows)}`)
    .join('\n\n')
}

const tableOf = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
    .join('\n')

/** Of a table in Markdown, where a bar would begin the next column. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
