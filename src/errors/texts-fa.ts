import { showUsd } from '../domain/money'
import type { ErrorCode } from './codes'
import { expectedFa } from './expected-fa'
import { listed, type Facts } from './texts-en'

/** Persian text of every code, with the same facts as the English one. */
export const fa: { readonly [Code in ErrorCode]: (facts: Facts<Code>) => string } = {
  invalid_json: () =>
    'بدنهٔ درخواست JSON معتبر با کدگذاری UTF-8 نیست. آن را درست کنید و دوباره بفرستید.',
  invalid_field: (f) =>
    `مقدار \`${f.field}\` پذیرفته نیست؛ باید چنین باشد: ${expectedFa(f.expected)}.`,
  missing_model: () => 'فیلد `model` در بدنه نیست. فهرست مدل‌ها در GET /v1/models است.',
  invalid_model: () => 'فیلد `model` باید رشته‌ای ناتهی باشد. فهرست مدل‌ها در GET /v1/models است.',
  model_endpoint_mismatch: (f) =>
    `مدل ${f.model} از نوع ${f.type} است و در مسیر ${f.endpoint} به کار نمی‌رود. مدل یا مسیر دیگری برگزینید.`,
  missing_messages: () => 'فیلد `messages` باید آرایه‌ای با دست‌کم یک پیام باشد.',
  invalid_message: (f) =>
    `مقدار \`${f.field}\` پذیرفته نیست؛ باید چنین باشد: ${expectedFa(f.expected)}.`,
  too_many_messages: (f) =>
    `فیلد \`messages\` ${f.count} پیام دارد؛ بیشینهٔ مجاز ${f.limit} است. پیام‌های قدیمی را کوتاه کنید.`,
  missing_prompt: () => 'فیلد `prompt` در بدنه نیست یا خالی است. متن درخواست را در آن بفرستید.',
  missing_input: () => 'فیلد `input` در بدنه نیست یا خالی است. ورودی مدل را در آن بفرستید.',
  missing_file: () => 'فیلد `file` در فرم نیست. فایل را با قالب multipart/form-data بفرستید.',
  prompt_too_long: (f) =>
    `فیلد \`prompt\` ${f.count} نویسه دارد؛ بیشینهٔ مجاز ${f.limit} نویسه است. آن را کوتاه‌تر کنید.`,
  input_too_long: (f) =>
    `فیلد \`input\` ${f.count} نویسه دارد؛ بیشینهٔ مجاز ${f.limit} نویسه است. آن را کوتاه‌تر کنید.`,
  invalid_seconds: (f) =>
    `مدل ${f.model} فقط این مقدارها را برای \`seconds\` می‌پذیرد: ${f.allowed.join('، ')}.`,
  invalid_size: (f) => `مدل ${f.model} فقط این اندازه‌ها را می‌پذیرد: ${f.allowed.join('، ')}.`,
  streaming_disabled: () => 'پاسخ جریانی فعلاً خاموش است. درخواست را بدون `stream` بفرستید.',
  upstream_rejected: (f) =>
    `ارائه‌دهندهٔ مدل این درخواست را نپذیرفت و هزینه‌ای کسر نشد.${f.said ? ` پیام آن: ${f.said}` : ''}`,
  endpoint_not_supported: (f) =>
    `ارائه‌دهندهٔ مدل ${f.model} مسیر ${f.endpoint} را ندارد. مدل دیگری به کار ببرید.`,
  missing_api_key: () =>
    'کلید API فرستاده نشده است. آن را در سرآیند `Authorization: Bearer` یا `X-API-Key` بفرستید.',
  invalid_api_key: () => 'این کلید API شناخته نشد. بررسی کنید که کامل کپی شده باشد.',
  api_key_revoked: () => 'این کلید API باطل شده است. کلید دیگری به کار ببرید یا کلید تازه بسازید.',
  api_key_expired: (f) => `اعتبار این کلید API در ${f.expired} به پایان رسید. کلید تازه بسازید.`,
  api_key_disabled: () => 'این کلید API خاموش است. آن را روشن کنید یا کلید دیگری به کار ببرید.',
  insufficient_credit: (f) =>
    `این درخواست تا ${showUsd(f.needed)} دلار هزینه دارد و ${showUsd(f.available)} دلار در دسترس است` +
    (f.held > 0
      ? ` (${showUsd(f.held)} دلار دیگر برای درخواست‌های در حال اجرا کنار گذاشته شده)`
      : '') +
    '. حساب را شارژ کنید یا `max_tokens` را کمتر کنید.',
  key_spend_limit_reached: (f) =>
    `سقف هزینهٔ این کلید ${showUsd(f.limit)} دلار است؛ ${showUsd(f.spent)} دلار خرج یا رزرو شده و این ` +
    `درخواست تا ${showUsd(f.needed)} دلار هزینه دارد. سقف کلید را بالا ببرید یا \`max_tokens\` را کمتر کنید.`,
  project_budget_exceeded: (f) =>
    `بودجهٔ این ماه پروژه ${showUsd(f.limit)} دلار است؛ ${showUsd(f.spent)} دلار خرج یا رزرو شده و این ` +
    `درخواست تا ${showUsd(f.needed)} دلار هزینه دارد. بودجه را بالا ببرید یا تا ماه بعد صبر کنید.`,
  daily_cap_reached: (f) =>
    `سقف هزینهٔ روزانهٔ حساب ${showUsd(f.limit)} دلار است؛ ${showUsd(f.spent)} دلار خرج یا رزرو شده و این ` +
    `درخواست تا ${showUsd(f.needed)} دلار هزینه دارد. از پشتیبانی بخواهید سقف را بالا ببرد یا تا نیمه‌شب UTC صبر کنید.`,
  model_not_allowed: (f) =>
    `${f.by === 'key' ? 'این کلید' : 'این پروژه'} اجازهٔ استفاده از مدل ${f.model} را ندارد؛ مدل‌های مجاز: ${listed(f.allowed, '، ')}. مدل را به فهرست مجازها بیفزایید یا مدل دیگری به کار ببرید.`,
  ip_not_allowed: (f) =>
    `استفاده از این کلید از نشانی ${f.address} مجاز نیست. نشانی را به فهرست کلید بیفزایید.`,
  kyc_required: (f) =>
    `پیش از احراز هویت روی هم تا ${showUsd(f.limit)} دلار می‌توان خرج کرد؛ ${showUsd(f.spent)} دلار خرج یا ` +
    `رزرو شده و این درخواست تا ${showUsd(f.needed)} دلار هزینه دارد. هویت خود را در برنامه تأیید کنید.`,
  project_inactive: (f) =>
    `پروژهٔ ${f.project} خاموش است. آن را روشن کنید یا کلید پروژهٔ دیگری به کار ببرید.`,
  account_suspended: () => 'این حساب معلق است. با پشتیبانی تماس بگیرید.',
  model_not_found: (f) =>
    `مدلی با شناسهٔ ${f.model} عرضه نمی‌شود. فهرست مدل‌ها در GET /v1/models است.`,
  model_discontinued: (f) =>
    `مدل ${f.model} دیگر عرضه نمی‌شود. فهرست مدل‌ها در GET /v1/models است.`,
  request_not_found: (f) =>
    `درخواستی با شناسهٔ ${f.id} در این پروژه نیست. شناسه و کلید را بررسی کنید.`,
  video_not_found: (f) =>
    `ویدیویی با شناسهٔ ${f.id} در این پروژه نیست. شناسه و کلید را بررسی کنید.`,
  unknown_url: (f) => `نشانی ${f.method} ${f.path} وجود ندارد. نشانی پایه و مسیر را بررسی کنید.`,
  method_not_allowed: (f) =>
    `نشانی ${f.path} متد ${f.method} را نمی‌پذیرد؛ متدهای درست: ${f.allow}.`,
  request_timeout: (f) =>
    `بدنهٔ درخواست خیلی کند رسید: در ${f.seconds} ثانیه کمتر از یک کیلوبایت در ثانیه، یا هیچ. دوباره بفرستید.`,
  request_too_large: (f) =>
    `بدنهٔ درخواست از سقف ${f.limitKb} کیلوبایت بزرگ‌تر است. آن را کوچک‌تر کنید.`,
  upgrade_not_offered: (f) =>
    `نشانی ${f.path} اتصال WebSocket ندارد. درخواست را با HTTP و متد POST بفرستید.`,
  rate_limit_exceeded: (f) =>
    (f.atOnce === true
      ? `این ${f.by === 'key' ? 'کلید' : 'نشانی'} هم‌اکنون ${f.limit} درخواست در حال انجام دارد. `
      : `بیش از ${f.limit} درخواست در دقیقه برای این ${f.by === 'key' ? 'کلید' : 'نشانی'}. `) +
    `${f.seconds} ثانیهٔ دیگر دوباره بفرستید.`,
  concurrency_limit: (f) =>
    `این حساب هم‌اکنون ${f.limit} درخواست در حال اجرا دارد. صبر کنید یکی تمام شود.`,
  upstream_rate_limited: (f) =>
    `سهمیهٔ درخواست ارائه‌دهنده برای مدل ${f.model} پر است و هزینه‌ای کسر نشد. کمی بعد دوباره بفرستید.`,
  upstream_capacity_full: (f) =>
    `ظرفیت ارائه‌دهنده برای مدل ${f.model} پر است و هزینه‌ای کسر نشد. کمی بعد دوباره بفرستید.`,
  too_many_failed_attempts: (f) =>
    `از این نشانی کلیدهای نادرست بسیاری فرستاده شده است. ${f.seconds} ثانیهٔ دیگر دوباره بفرستید.`,
  upstream_error: (f) =>
    `ارائه‌دهندهٔ مدل ${f.model} با خطا پاسخ داد و هزینه‌ای کسر نشد. دوباره بفرستید.`,
  upstream_unreachable: (f) =>
    `ارائه‌دهندهٔ مدل ${f.model} پاسخی نداد و هزینه‌ای کسر نشد. دوباره بفرستید.`,
  stream_interrupted: () =>
    'ارتباط با ارائه‌دهنده میانهٔ پاسخ قطع شد. فقط بخشی که فرستاده شد حساب می‌شود.',
  model_temporarily_unavailable: (f) =>
    `مدل ${f.model} فعلاً در دسترس نیست. کمی بعد دوباره بفرستید یا مدل دیگری به کار ببرید.`,
  gateway_disabled: () => 'سرویس فعلاً بسته است. کمی بعد دوباره بفرستید.',
  daily_capacity_reached: (f) => `ظرفیت امروز سرویس پر شده است. پس از ${f.opens} دوباره بفرستید.`,
  internal_error: () =>
    'خطایی در سرویس رخ داد و هزینه‌ای کسر نشد. اگر تکرار شد، با شناسهٔ درخواست به پشتیبانی خبر دهید.',
  gateway_error: () => 'سرویس نتوانست این درخواست را به پایان برساند. دوباره بفرستید.',
}
