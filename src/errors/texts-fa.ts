import { showUsd, type NanoUsd } from '../domain/money'
import type { ErrorCode } from './codes'
import { expectedFa } from './expectations-fa'
import { isolated, persian } from './bidi-isolates'
import type { Links } from './links'
import { listed, type Facts, type Midway } from './texts-en'

/** Dollars as people write them: whole ones without decimals, others with no more zeroes than cents need. */
export const usdFa = (amount: NanoUsd): string =>
  showUsd(amount)
    .replace(/\.0+$/, '')
    .replace(/(?<=\.\d\d\d*?)0+$/, '')

const names = (all: readonly string[]): string => listed(all.map(isolated), '، ')

/** `2026-01-31T00:00…` as a day and an hour. */
function momentFa(time: string): string {
  const [, day, hour] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/.exec(time) ?? []
  return day === undefined || hour === undefined
    ? isolated(time)
    : persian`ساعت ${hour} به وقت UTC در تاریخ ${day}`
}

/** Appends an address to a sentence, where the operator set one. */
const linked = (sentence: string, url: string | null): string =>
  url === null ? `${sentence}.` : `${sentence}: ${isolated(url)}`

const seeModels = persian`فهرست مدل‌ها در GET /v1/models است.`

const partlyCharged = 'فقط هزینهٔ بخشی که فرستاده شد حساب می‌شود'

const charged = ({ isPartial = false }: Midway): string =>
  isPartial ? partlyCharged : 'هزینه‌ای کم نشد'

const quoted = ({ said = '' }: Midway): string =>
  said === '' ? '' : persian` پیام آن: ${isolated(said)}`

type Text<Code extends ErrorCode> = (facts: Facts<Code>, links: Links) => string

/** Persian text of every code, with the same facts as the English one. */
export const fa: { readonly [Code in ErrorCode]: Text<Code> } = {
  invalid_json: () =>
    persian`بدنهٔ درخواست JSON معتبر با کدگذاری UTF-8 نیست. آن را درست کنید و دوباره بفرستید.`,
  invalid_field: (f) =>
    persian`مقدار \`${f.field}\` پذیرفته نیست؛ باید چنین باشد: ${expectedFa(f.expected)}.`,
  missing_model: () => persian`فیلد \`model\` در بدنه نیست. ${seeModels}`,
  invalid_model: () => persian`فیلد \`model\` باید رشته باشد و نباید خالی باشد. ${seeModels}`,
  model_endpoint_mismatch: (f) =>
    persian`مدل ${f.model} از نوع ${f.type} است و در مسیر ${f.endpoint} کار نمی‌کند. آن را در مسیر ${f.servedAt} صدا بزنید یا مدل دیگری انتخاب کنید.`,
  missing_messages: () => persian`فیلد \`messages\` باید آرایه‌ای با دست‌کم یک پیام باشد.`,
  invalid_message: (f) =>
    persian`مقدار \`${f.field}\` پذیرفته نیست؛ باید چنین باشد: ${expectedFa(f.expected)}.`,
  too_many_messages: (f) =>
    persian`فیلد \`messages\` ${f.count} پیام دارد؛ حداکثر ${f.limit} پیام مجاز است. پیام‌های قدیمی را کم کنید.`,
  missing_prompt: () =>
    persian`فیلد \`prompt\` در بدنه نیست یا خالی است. متن درخواست را در آن بفرستید.`,
  missing_input: () =>
    persian`فیلد \`input\` در بدنه نیست یا خالی است. ورودی مدل را در آن بفرستید.`,
  missing_file: () =>
    persian`فیلد \`file\` در فرم نیست. فایل را با قالب multipart/form-data بفرستید.`,
  prompt_too_long: (f) =>
    persian`فیلد \`prompt\` ${f.count} نویسه دارد؛ حداکثر ${f.limit} نویسه مجاز است. آن را کوتاه‌تر کنید.`,
  input_too_long: (f) =>
    persian`فیلد \`input\` ${f.count} نویسه دارد؛ حداکثر ${f.limit} نویسه مجاز است. آن را کوتاه‌تر کنید.`,
  invalid_seconds: (f) =>
    persian`مدل ${f.model} فقط این مقدارها را برای \`seconds\` می‌پذیرد: ${names(f.allowed)}.`,
  invalid_size: (f) => persian`مدل ${f.model} فقط این اندازه‌ها را می‌پذیرد: ${names(f.allowed)}.`,
  streaming_disabled: () =>
    persian`پاسخ جریانی فعلاً غیرفعال است. درخواست را بدون \`stream\` بفرستید.`,
  upstream_rejected: (f) =>
    persian`ارائه‌دهندهٔ مدل این درخواست را نپذیرفت و ${charged(f)}.${quoted(f)}`,
  endpoint_not_supported: (f) =>
    persian`ارائه‌دهندهٔ مدل ${f.model} این را ندارد: ${isolated(f.endpoint)}. از مدل دیگری استفاده کنید.`,
  missing_api_key: () =>
    persian`کلید API فرستاده نشده است. آن را در سرآیند \`Authorization: Bearer\` یا \`X-API-Key\` بفرستید.`,
  invalid_api_key: () => persian`این کلید API شناخته نشد. بررسی کنید که کامل کپی شده باشد.`,
  api_key_revoked: () =>
    persian`این کلید API باطل شده است. از کلید دیگری استفاده کنید یا کلید تازه بسازید.`,
  api_key_expired: (f) =>
    persian`اعتبار این کلید API در ${momentFa(f.expired)} تمام شد. کلید تازه بسازید.`,
  api_key_disabled: () =>
    persian`این کلید API غیرفعال است. آن را فعال کنید یا از کلید دیگری استفاده کنید.`,
  insufficient_credit: (f, { topUpUrl }) =>
    persian`این درخواست تا ${usdFa(f.needed)} دلار هزینه دارد و ${usdFa(f.available)} دلار در دسترس است` +
    (f.held > 0
      ? persian` (${usdFa(f.held)} دلار دیگر برای درخواست‌های در حال اجرا کنار گذاشته شده)`
      : '') +
    (f.ceiling === undefined ? '. ' : persian`. \`${f.ceiling}\` را کمتر کنید یا `) +
    linked('حساب را شارژ کنید', topUpUrl),
  key_spend_limit_reached: (f) =>
    persian`سقف هزینهٔ این کلید ${usdFa(f.limit)} دلار است؛ ${usdFa(f.spent)} دلار خرج یا رزرو شده و این ` +
    persian`درخواست تا ${usdFa(f.needed)} دلار هزینه دارد. سقف کلید را بالا ببرید` +
    (f.ceiling === undefined ? '.' : persian` یا \`${f.ceiling}\` را کمتر کنید.`),
  project_budget_exceeded: (f) =>
    persian`بودجهٔ این ماه پروژه ${usdFa(f.limit)} دلار است؛ ${usdFa(f.spent)} دلار خرج یا رزرو شده و این ` +
    persian`درخواست تا ${usdFa(f.needed)} دلار هزینه دارد. بودجه را بالا ببرید یا تا ماه بعد صبر کنید.`,
  daily_cap_reached: (f) =>
    persian`سقف هزینهٔ روزانهٔ حساب ${usdFa(f.limit)} دلار است؛ ${usdFa(f.spent)} دلار خرج یا رزرو شده و این ` +
    persian`درخواست تا ${usdFa(f.needed)} دلار هزینه دارد. از پشتیبانی بخواهید سقف را بالا ببرد یا تا نیمه‌شب به وقت UTC صبر کنید.`,
  model_not_allowed: (f) =>
    persian`${f.by === 'key' ? 'این کلید' : 'این پروژه'} اجازهٔ استفاده از مدل ${f.model} را ندارد؛ مدل‌های مجاز: ${names(f.allowed)}. مدل را به فهرست مجازها اضافه کنید یا از مدل دیگری استفاده کنید.`,
  ip_not_allowed: (f) =>
    persian`استفاده از این کلید از نشانی IP ${isolated(f.address)} مجاز نیست. آن را به فهرست نشانی‌های کلید اضافه کنید.`,
  kyc_required: (f, { appUrl }) =>
    persian`پیش از احراز هویت در مجموع تا ${usdFa(f.limit)} دلار می‌توان خرج کرد؛ ${usdFa(f.spent)} دلار خرج یا ` +
    persian`رزرو شده و این درخواست تا ${usdFa(f.needed)} دلار هزینه دارد. ` +
    linked('هویت خود را در برنامه تأیید کنید', appUrl),
  project_inactive: (f) =>
    persian`پروژهٔ ${isolated(f.project)} غیرفعال است. آن را فعال کنید یا از کلید پروژهٔ دیگری استفاده کنید.`,
  account_suspended: (_, { supportUrl }) =>
    linked('این حساب معلق است. با پشتیبانی تماس بگیرید', supportUrl),
  model_not_found: (f) =>
    persian`مدلی با شناسهٔ ${f.model} عرضه نمی‌شود. ${f.near === undefined ? '' : persian`آیا منظورتان ${isolated(f.near)} است؟ `}${seeModels}`,
  model_discontinued: (f) => persian`مدل ${f.model} دیگر عرضه نمی‌شود. ${seeModels}`,
  request_not_found: (f) =>
    persian`درخواستی با شناسهٔ ${f.id} در این پروژه نیست. شناسه و کلید را بررسی کنید.`,
  video_not_found: (f) =>
    persian`ویدیویی با شناسهٔ ${f.id} در این پروژه نیست. شناسه و کلید را بررسی کنید.`,
  unknown_url: (f) =>
    persian`مسیر ${isolated(`${f.method} ${f.path}`)} وجود ندارد. نشانی پایه و مسیر را بررسی کنید.`,
  method_not_allowed: (f) =>
    persian`مسیر ${f.path} متد ${f.method} را نمی‌پذیرد؛ متدهای درست: ${isolated(f.allow)}.`,
  request_timeout: (f) =>
    persian`بدنهٔ درخواست خیلی کند رسید: در ${f.seconds} ثانیه کمتر از یک کیلوبایت در ثانیه، یا هیچ. دوباره تلاش کنید.`,
  request_too_large: (f) =>
    persian`بدنهٔ درخواست از سقف ${f.limitKb} کیلوبایت بزرگ‌تر است. آن را کوچک‌تر کنید.`,
  unsupported_encoding: (f) =>
    persian`بدنه با Content-Encoding برابر ${isolated(f.encoding)} خوانده نمی‌شود. آن را بدون فشرده‌سازی یا تنها با یکی از gzip، deflate، br و zstd بفرستید.`,
  upgrade_not_offered: (f) =>
    persian`مسیر ${f.path} اتصال WebSocket ندارد. درخواست را با HTTP و متد POST بفرستید.`,
  rate_limit_exceeded: (f) =>
    (f.atOnce === true
      ? persian`${f.by === 'key' ? 'این کلید' : 'این نشانی IP'} هم‌اکنون ${f.limit} درخواست در حال انجام دارد. `
      : persian`در یک دقیقه بیش از ${f.limit} درخواست ${f.by === 'key' ? 'با این کلید' : 'از این نشانی IP'} فرستاده شد. `) +
    persian`${f.seconds} ثانیهٔ دیگر دوباره تلاش کنید.`,
  concurrency_limit: (f) =>
    persian`این حساب هم‌اکنون ${f.limit} درخواست در حال اجرا دارد. صبر کنید یکی تمام شود.`,
  upstream_rate_limited: (f) =>
    persian`سهمیهٔ درخواست ارائه‌دهنده برای مدل ${f.model} پر است و ${charged(f)}. کمی بعد دوباره تلاش کنید.${quoted(f)}`,
  upstream_capacity_full: (f) =>
    persian`ظرفیت ارائه‌دهنده برای مدل ${f.model} پر است و ${charged(f)}. کمی بعد دوباره تلاش کنید.${quoted(f)}`,
  too_many_failed_attempts: (f) =>
    persian`از این نشانی IP کلیدهای نادرست زیادی فرستاده شده است. ${f.seconds} ثانیهٔ دیگر دوباره تلاش کنید.`,
  upstream_error: (f) =>
    persian`ارائه‌دهندهٔ مدل ${f.model} با خطا پاسخ داد و هزینه‌ای کم نشد. دوباره تلاش کنید.`,
  upstream_unreachable: (f) =>
    persian`ارائه‌دهندهٔ مدل ${f.model} پاسخی نداد و هزینه‌ای کم نشد. دوباره تلاش کنید.`,
  stream_interrupted: (f) =>
    persian`پاسخ در میانه قطع شد. ${partlyCharged}؛ اگر لازم است دوباره بفرستید.${quoted(f)}`,
  model_temporarily_unavailable: (f) =>
    persian`مدل ${f.model} فعلاً در دسترس نیست. کمی بعد دوباره تلاش کنید یا از مدل دیگری استفاده کنید.`,
  gateway_disabled: () => 'سرویس فعلاً در دسترس نیست. کمی بعد دوباره تلاش کنید.',
  daily_capacity_reached: (f) =>
    persian`ظرفیت امروز سرویس پر شده است. از ${momentFa(f.opens)} دوباره تلاش کنید.`,
  internal_error: () =>
    'خطایی در سرویس رخ داد و هزینه‌ای کم نشد. اگر تکرار شد، با شناسهٔ درخواست به پشتیبانی خبر دهید.',
  gateway_error: () => 'سرویس نتوانست این درخواست را تمام کند. دوباره تلاش کنید.',
}
