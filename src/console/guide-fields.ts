import { chatMembers } from '../gateway/formats/chat/members'
import { completionsMembers } from '../gateway/formats/completions/members'
import { messagesMembers } from '../gateway/formats/messages/members'
import type { MemberRule, OmissionReason, RequestMembers } from '../gateway/formats/request-members'
import { responsesMembers } from '../gateway/formats/responses/members'
import { saidBy } from '../gateway/formats/said-members'
import type { GuideLanguage } from '../guide/pages'

/** Tables of a page: heads, and rows of cells. */
interface GuideTable {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

interface Words {
  readonly member: string
  readonly elsewhere: string
  readonly chat: readonly string[]
  readonly passes: string
  readonly translated: string
  readonly refused: string
  readonly leftOut: string
  readonly ownOnly: string
  readonly reasons: Readonly<Record<OmissionReason, string>>
}

const words: Readonly<Record<GuideLanguage, Words>> = {
  en: {
    member: 'field',
    elsewhere: 'at vendors of other formats',
    chat: ['of chat', 'Anthropic', 'Google', 'Responses'],
    passes: 'passes',
    translated: 'translated',
    refused: '400',
    leftOut: 'left out',
    ownOnly: '400, but for values that ask for nothing',
    reasons: {
      price: 'it would buy at another price',
      identity: 'an opaque id of the project goes in its place',
      storage: 'vendors keep nothing, unless the operator lets them',
      routing: 'who answers is decided here',
      given: 'it is done anyway',
      hint: 'a hint to its own vendor; the answer is the same without',
    },
  },
  fa: {
    member: 'فیلد',
    elsewhere: 'نزد ارائه‌دهندگان قالب‌های دیگر',
    chat: ['قالب گفت‌وگو', 'Anthropic', 'Google', 'Responses'],
    passes: 'می‌گذرد',
    translated: 'ترجمه می‌شود',
    refused: '400',
    leftOut: 'کنار گذاشته می‌شود',
    ownOnly: '400، مگر مقداری که چیزی نمی‌خواهد',
    reasons: {
      price: 'بهای دیگری می‌داشت',
      identity: 'به جای آن شناسه‌ای گنگ از پروژه می‌رود',
      storage: 'ارائه‌دهنده چیزی نگه نمی‌دارد، مگر گرداننده بگذارد',
      routing: 'پاسخ‌دهنده همین‌جا تعیین می‌شود',
      given: 'در هر حال انجام می‌شود',
      hint: 'راهنمایی برای ارائه‌دهندهٔ خودش است؛ پاسخ بی آن همان است',
    },
  },
}

/** What becomes of each member of a request, by the format of its client. */
export function fieldTables(language: GuideLanguage): readonly GuideTable[] {
  const { member, elsewhere, chat } = words[language]
  const others = {
    Messages: messagesMembers,
    Responses: responsesMembers,
    Completions: completionsMembers,
  }
  return [
    { title: 'Chat Completions', heads: [member, ...chat], rows: chatRows(language) },
    ...Object.entries(others).map(([title, members]) => ({
      title,
      heads: [member, elsewhere],
      rows: rowsOf(members, language),
    })),
  ]
}

function chatRows(language: GuideLanguage): readonly (readonly string[])[] {
  const { passes, translated, refused, leftOut, reasons } = words[language]
  const formats = [saidBy.messages, saidBy.gemini, saidBy.responses]
  return Object.entries<MemberRule>(chatMembers).map(([name, rule]) => {
    if (rule.fate !== 'translated') {
      const out = rule.fate === 'refused' ? refused : leftOut
      const why = rule.because === undefined ? '' : ` (${reasons[rule.because]})`
      return [`\`${name}\`${why}`, rule.fate === 'own-hint' ? passes : out, out, out, out]
    }
    const cells = formats.map(({ said, hints }) =>
      said.has(name) ? translated : hints.has(name) ? leftOut : refused,
    )
    return [`\`${name}\``, passes, ...cells]
  })
}

/** Members of members stand in rows of their own, by their path. */
const rowsOf = (
  members: RequestMembers,
  language: GuideLanguage,
  at = '',
): readonly (readonly string[])[] =>
  Object.entries(members).flatMap(([name, rule]) =>
    rule.members === undefined
      ? [[`\`${at}${name}\``, fateOf(rule, language)]]
      : rowsOf(rule.members, language, `${at}${name}.`),
  )

function fateOf({ fate, because }: MemberRule, language: GuideLanguage): string {
  const { translated, refused, leftOut, ownOnly, reasons } = words[language]
  const out = because === undefined ? leftOut : `${leftOut}: ${reasons[because]}`
  const shown: Readonly<Record<MemberRule['fate'], string>> = {
    translated,
    refused,
    own: ownOnly,
    'own-hint': out,
    omitted: out,
  }
  return shown[fate]
}
