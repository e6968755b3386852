/** Languages of the page. */
export type ReferenceLanguage = 'en' | 'fa'

interface Words {
  readonly title: string
  readonly groups: Readonly<Record<string, string>>
  readonly objects: string
  readonly errors: string
  readonly needsKey: string
  readonly needsNoKey: string
  readonly parameters: readonly string[]
  readonly answers: readonly string[]
  readonly fields: readonly string[]
  readonly codes: readonly string[]
  readonly optional: string
  readonly body: string
  readonly as: string
  readonly example: string
  readonly events: string
  readonly listOf: string
  readonly or: string
  readonly comma: string
  readonly yes: string
  readonly no: string
  readonly document: string
}

/** Words of the page itself. Names of types are JSON's, and the same in both. */
export const words: Readonly<Record<ReferenceLanguage, Words>> = {
  en: {
    title: 'Reference',
    groups: {},
    objects: 'Objects',
    errors: 'Errors',
    needsKey: 'A key is needed.',
    needsNoKey: 'No key is needed.',
    parameters: ['Parameter', 'In', 'Type', ''],
    answers: ['Status', 'Answer', ''],
    fields: ['Field', 'Type', ''],
    codes: ['Status', 'Code', 'Type', 'Repeat', 'Message'],
    optional: 'optional',
    body: 'Body:',
    as: 'as',
    example: 'Example',
    events: 'events, each',
    listOf: 'list of',
    or: ' or ',
    comma: ', ',
    yes: 'yes',
    no: 'no',
    document: 'OpenAPI document',
  },
  fa: {
    title: 'مرجع',
    groups: { Models: 'مدل‌ها', Generation: 'تولید', Account: 'حساب', Service: 'سرویس' },
    objects: 'شیءها',
    errors: 'خطاها',
    needsKey: 'کلید می‌خواهد.',
    needsNoKey: 'کلید نمی‌خواهد.',
    parameters: ['پارامتر', 'جا', 'نوع', ''],
    answers: ['وضعیت', 'پاسخ', ''],
    fields: ['فیلد', 'نوع', ''],
    codes: ['وضعیت', 'کد', 'نوع', 'تکرار', 'پیام'],
    optional: 'اختیاری',
    body: 'بدنه:',
    as: 'به شکل',
    example: 'نمونه',
    events: 'رویدادها، هر کدام',
    listOf: 'فهرستی از',
    or: ' یا ',
    comma: '، ',
    yes: 'بله',
    no: 'نه',
    document: 'سند OpenAPI',
  },
}
