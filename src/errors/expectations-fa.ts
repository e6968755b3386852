/**
 * Persian of what a field must be. Refusals say it in English words of a few fixed forms, since
 * schemas carry them; words of the interface (field names, enumerations) stay as they are. A
 * phrase of no known form is quoted as it is.
 */
export function expectedFa(english: string): string {
  const phrase = english.trim()
  const known = phrases[phrase]
  if (known !== undefined) return known
  for (const [form, persian] of forms) {
    const found = form.exec(phrase)
    if (found !== null) return persian(...found.slice(1).map((part) => part ?? ''))
  }
  return quoted(phrase)
}

const phrases: Readonly<Record<string, string>> = {
  'a string': 'رشته',
  'a non-empty string': 'رشته‌ای که خالی نباشد',
  'a string of JSON': 'رشته‌ای از JSON',
  'a string of a JSON object': 'رشته‌ای از یک شیء JSON',
  'base64 text': 'متن base64',
  'a number': 'عدد',
  'a whole number': 'عدد صحیح',
  'true or false': '`true` یا `false`',
  null: '`null`',
  'an object': 'شیء',
  'a JSON object': 'شیء JSON',
  'a JSON Schema object': 'شیء JSON Schema',
  'an array': 'آرایه',
  'an array of parts': 'آرایه‌ای از بخش‌ها',
  'an array of items': 'آرایه‌ای از اقلام',
  'an item, not a reference': 'خود قلم، نه ارجاع به آن',
  'the last item': 'آخرین قلم',
  'an item of the conversation': 'قلمی از گفتگو',
  'unchanged, and of this project': 'دست‌نخورده و از همین پروژه',
  'an item of the same vendor': 'قلمی از همان سازنده',
  'a public address': 'نشانی عمومی',
  'numbers in digits alone': 'عددهایی فقط از رقم',
  'percent-encoded UTF-8': '`UTF-8` با کدگذاری درصدی',
  'one text': 'یک متن',
  'one file': 'یک فایل',
  'one host': 'یک میزبان',
  'without dot segments, backslashes and #': 'بدون بخش‌های `.` و `..`، بدون `\\\\` و بدون `#`',
  'a language code such as fa': 'کد زبان، مانند `fa`',
  'text in UTF-8': 'متن با کدگذاری `UTF-8`',
  'a string such as 1024x1024': 'رشته‌ای مانند `1024x1024`',
  'a string such as 1280x720': 'رشته‌ای مانند `1280x720`',
  'a form of multipart/form-data': 'فرمی از نوع `multipart/form-data`',
  'a JPEG, PNG or WebP picture': 'تصویر `JPEG`، `PNG` یا `WebP`',
  'a video that is completed': 'ویدئویی که ساختش تمام شده باشد',
  absent: 'در درخواست نباشد',
  'given once': 'تنها یک بار بیاید',
  false: '`false`',
  'an array of strings': 'آرایه‌ای از رشته‌ها',
  'an https URL': 'نشانی https',
  'a data: URL with base64': 'نشانی `data:` با base64',
  'a data: URL with an image in base64': 'نشانی `data:` با تصویری به شکل base64',
  'without input_audio: this model does not listen': 'بدون `input_audio`؛ این مدل صدا نمی‌شنود',
  'a data: URL': 'نشانی `data:`',
  'the id of the call that is answered': 'شناسهٔ فراخوانی‌ای که به آن پاسخ داده می‌شود',
  'the file itself as base64': 'خود فایل به شکل base64',
  'another block: send files in their own blocks': 'بلوکی دیگر؛ فایل‌ها را در بلوک خودشان بفرستید',
  'a string or an array of blocks, each with a type':
    'رشته یا آرایه‌ای از بلوک‌ها، هر یک با `type`',
  'an array of blocks': 'آرایه‌ای از بلوک‌ها',
  'an array of text blocks': 'آرایه‌ای از بلوک‌های متن',
  'an array of tools': 'آرایه‌ای از ابزارها',
  tokens: 'توکن‌ها',
  valid: 'معتبر',
  'its address leads on and on': 'نشانی‌اش پی‌درپی به نشانی دیگری می‌برد',
  'its address is none': 'نشانی‌اش نشانی نیست',
  'its address is not https': 'نشانی‌اش `https` نیست',
  'its address is not public': 'نشانی‌اش عمومی نیست',
  'its host does not answer': 'میزبانش پاسخ نمی‌دهد',
  'it is no picture': 'تصویر نیست',
  'all pictures together are too large': 'همهٔ تصویرها روی هم بیش از اندازه بزرگ‌اند',
  'YYYY-MM-DD': 'تاریخ میلادی به شکل `YYYY-MM-DD`',
  'with files of text or PDF only': 'تنها با فایل‌های متن یا `PDF`',
  'with pictures and files as data: URLs': 'با تصویرها و فایل‌هایی به شکل نشانی `data:`',
}

type Form = readonly [RegExp, (...parts: readonly string[]) => string]

const number = String.raw`(-?\d+(?:\.\d+)?)`

/** Tried in this order; parts are translated in turn. */
const forms: readonly Form[] = [
  [/^(.+) for this model$/, (phrase = '') => `برای این مدل ${expectedFa(phrase)}`],
  [/^a day that is not after `(\w+)`$/, (field = '') => `روزی که پس از \`${field}\` نباشد`],
  [/^(-?\d+(?:\.\d+)?)$/, (figure = '') => figure],
  // `a | b | c`
  [/^([^\s|]+(?: \| [^\s|]+)+)$/, (words = '') => options(words)],
  [
    /^left out: send the file itself in (\S+)$/,
    (field = '') => `نیامده؛ خود فایل را در \`${field}\` بفرستید`,
  ],
  [
    /^left out: send what was said as text in (\S+)$/,
    (field = '') => `نیامده؛ آنچه گفته شد را به شکل متن در \`${field}\` بفرستید`,
  ],
  [
    /^a picture that can be fetched: (.+)$/,
    (reason = '') => `تصویری که بتوان آن را گرفت؛ ${expectedFa(reason)}`,
  ],
  [/^its host answered (\d+)$/, (status) => `میزبانش ${status} پاسخ داد`],
  [
    /^with at most (\d+) pictures that must be fetched$/,
    (most) => `با حداکثر ${most} تصویری که باید از نشانی‌اش گرفته شود`,
  ],
  [/^steps of at most (\d+) characters$/, (most) => `بخش‌هایی با حداکثر ${most} نویسه`],
  [/^at most (\d+) days before `to`$/, (days) => `حداکثر ${days} روز پیش از \`to\` (تاریخ میلادی)`],
  [
    /^whole (\w+) data, as Content-Encoding says$/,
    (name) => `دادهٔ کامل \`${name}\`، چنان‌که \`Content-Encoding\` می‌گوید`,
  ],
  [/^left out: (.+)$/, (rest = '') => `نیامده؛ ${expectedFa(rest)}`],
  [
    new RegExp(`^a whole number from ${number} to ${number}$`),
    (from, to) => `عدد صحیح از ${from} تا ${to}`,
  ],
  [new RegExp(`^a whole number from ${number}$`), (from) => `عدد صحیح از ${from} به بالا`],
  [new RegExp(`^a number from ${number} to ${number}$`), (from, to) => `عدد از ${from} تا ${to}`],
  [new RegExp(`^a number from ${number}$`), (from) => `عدد از ${from} به بالا`],
  [/^a string of at most (\d+) characters$/, (most) => `رشته‌ای با حداکثر ${most} نویسه`],
  [/^one of at most (\d+) such items$/, (most) => `یکی از حداکثر ${most} قلم این‌چنینی`],
  [/^an array of at most (\d+) strings$/, (most) => `آرایه‌ای با حداکثر ${most} رشته`],
  [/^an array of at most (\d+) of them$/, (most) => `آرایه‌ای با حداکثر ${most} تا از آن`],
  [
    /^an object whose type is (.+)$/,
    (words = '') => `شیئی که \`type\` آن یکی از این‌ها باشد: ${alternatives(words)}`,
  ],
  [
    /^an array of tool calls, each with (.+)$/,
    (fields = '') => `آرایه‌ای از فراخوانی‌های ابزار، هر یک با ${names(fields)}`,
  ],
  [
    /^an array of tools, each with (.+)$/,
    (fields = '') => `آرایه‌ای از ابزارها، هر یک با ${names(fields)}`,
  ],
  [/^an object with ([a-z_, ]+)$/, (fields = '') => `شیئی با ${names(fields)}`],
  [
    /^(.+), or (.+)$/,
    (first = '', last = '') =>
      `${first.split(', ').map(expectedFa).join('، ')} یا ${expectedFa(last)}`,
  ],
  [/^(.+) or (.+)$/, (first = '', last = '') => `${expectedFa(first)} یا ${expectedFa(last)}`],
]

const quoted = (word: string): string => `\`${word}\``

const alternatives = (words: string): string => words.split(' | ').map(quoted).join('، ')

const options = (words: string): string => `یکی از ${alternatives(words)}`

/** `a name and a schema`, `id, type and function`: field names, articles left out. */
const names = (fields: string): string =>
  fields
    .split(/, | and /)
    .map((field) => quoted(field.replace(/^(?:an?|the) /, '')))
    .join(' و ')
