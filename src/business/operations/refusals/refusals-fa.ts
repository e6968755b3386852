import { isolated, persian } from '../../../errors/bidi-isolates'
import { usdFa as usd } from '../../../errors/texts-fa'
import type { OperatorRole } from '../../../domain/fields/operator-fields'
import type { TicketFault } from '../../users/sso-token'
import type { AdminTexts, MachineOnly } from '../admin-error'
import type { TrialProblem } from '../../catalogue/vendor-problem'
import { figure, inputFa, namesFa as names } from './input-fa'

const machineOnly: Readonly<Record<MachineOnly, string>> = {
  sms_command: 'سرویس پیامکی که برنامه‌ای اجرا می‌کند',
  price_file: 'پروندهٔ قیمت‌ها',
}

const roles: Readonly<Record<OperatorRole, string>> = {
  viewer: 'بیننده',
  staff: 'کارمند',
  owner: 'مالک',
}

function trialProblem({ code, status, address }: TrialProblem): string {
  switch (code) {
    case 'no_answer':
      return persian`${address} پاسخ نمی‌دهد.`
    case 'key_wanted':
      return persian`کلید می‌خواهد (${status ?? 0}).`
    case 'key_refused':
      return persian`کلید ما را نمی‌پذیرد (${status ?? 0}).`
    case 'address_incomplete':
      return persian`نشانی کامل ${address} است.`
    case 'no_list':
      return 'فهرست مدل‌ها را نداد؛ نشانی کامل است؟'
    case 'other_status':
      return persian`پاسخ آن ${status ?? 0} بود.`
  }
}

const ticketFaults: Readonly<Record<TicketFault, string>> = {
  form: 'بلیت به شکل فشردهٔ JWT نیست، یا از ۲۰۴۸ نویسه بلندتر است.',
  algorithm: 'سرآیند بلیت باید alg را HS256 بگوید و چیزی را ناگزیر نکند.',
  signature: 'بلیت با رمز دیگری امضا شده، یا پس از امضا تغییر کرده است.',
  claims:
    'یکی از بخش‌های بلیت نیست یا گونهٔ دیگری دارد: aud، jti (۱۶ تا ۱۲۸)، phone، nonce، iat، exp.',
  audience: 'aud نشانی این سرویس نیست.',
  time: 'زمان بلیت گذشته، نرسیده، یا از ۶۰ ثانیه بلندتر است.',
  phone: 'phone شمارهٔ همراه ایران نیست.',
}

/** Persian text of every refusal of an operator's change. */
export const refusalsFa: AdminTexts = {
  role_too_low: ({ needed, role }) =>
    persian`این کار نقش «${roles[needed]}» می‌خواهد؛ نقش شما «${roles[role]}» است.`,
  input_invalid: (facts) =>
    persian`${facts.field === '' ? 'آنچه فرستاده شد' : facts.field}: ${inputFa(facts)}.`,
  amount_above_staff: ({ max }) =>
    persian`کارمند در هر بار دست‌بالا ${max} دلار جابه‌جا می‌کند؛ از مالک بخواهید.`,
  staff_day_used: ({ max, left }) =>
    persian`کارمند در هر روز (UTC) دست‌بالا ${max} دلار می‌دهد و ${left} دلار آن مانده است؛ از مالک بخواهید.`,
  staff_verifications_used: ({ max }) =>
    persian`کارمند در هر روز (UTC) دست‌بالا ${max} احراز هویت را تأیید می‌کند و چیزی نمانده است؛ از مالک بخواهید.`,
  key_limit_needed: ({ max }) =>
    persian`کلیدی که کارمند می‌سازد سقف هزینه‌ای تا ${max} دلار دارد؛ کلید دیگر را از مالک بخواهید.`,
  only_on_machine: ({ what }) =>
    persian`${machineOnly[what]} تنها با فرمانی در همان دستگاه سرویس تنظیم می‌شود.`,
  reference_taken: ({ reference }) =>
    persian`مرجع ${reference} برای حساب یا مبلغ دیگری شمرده شده است.`,
  rate_not_set: () => 'هنوز نرخی برای تومان گذاشته نشده است.',
  project_not_found: ({ project }) => persian`پروژهٔ ${project} نیست.`,
  key_not_found: ({ key }) => persian`کلید ${key} نیست.`,
  key_ambiguous: ({ prefix, keys }) =>
    persian`چند کلید با ${prefix} آغاز می‌شود؛ شمارهٔ آن را بگویید: ${keys.join('، ')}`,
  setting_not_found: ({ name, known }) => persian`تنظیم ${name} نیست؛ این‌ها هست: ${names(known)}`,
  setting_invalid: ({ name, rule }) => persian`${name}: ${isolated(rule)}`,
  kept_in_memory: () =>
    'این سرویس همه چیز را در حافظه نگه می‌دارد؛ چیزی برای بررسی یا پشتیبان نیست.',
  check_failed: () => 'این کار پاسخی نداد. گزارش سرویس را ببینید.',
  commands_busy: () => 'کارهای دیگری در جریان است. کمی بعد دوباره امتحان کنید.',
  operator_not_found: ({ operator }) => persian`گردانندهٔ ${operator} نیست.`,
  operator_name_invalid: () => 'نام تنها از حروف کوچک انگلیسی، رقم، نقطه و خط تیره است.',
  operator_exists: () => 'این نام از آنِ گرداننده‌ای است یا بوده است.',
  operator_ready: () => 'او پیش‌تر وارد شده است؛ «از نو» پیوند تازه می‌دهد.',
  operators_set_up: () => 'نخستین مالک پیش‌تر وارد شده است.',
  last_operator: () => 'او آخرین مالکی است که می‌تواند وارد شود؛ نخست کس دیگری را مالک کنید.',
  operator_key_not_found: ({ key }) => persian`کلید ${key} نیست.`,
  locks_you_out: ({ address }) =>
    persian`نشانی خودتان ${address} در این فهرست نیست و از اینجا دیگر وارد نمی‌شدید.`,
  trail_line_not_found: () => 'چنین تغییری نیست.',
  not_undoable: () => 'این تغییر برگشت ندارد.',
  changed_since: () => 'پس از آن دوباره تغییر کرده است؛ نخست آن را برگردانید.',
  video_not_found: ({ video }) => persian`ویدئوی ${video} نیست.`,
  phone_move_not_found: () => 'برای این شخص جابه‌جایی شماره‌ای در انتظار نیست.',
  ticket_refused: ({ fault }) => ticketFaults[fault],
  public_url_missing: () => persian`نشانی این سرویس تنظیم نشده است: ${'CHAPAR_URL'}`,
  call_not_found: ({ request }) => persian`درخواست ${request} نیست، یا هنوز نوشته نشده است.`,
  call_not_stoppable: () => 'این درخواست تمام شده، یا دیگر نمی‌شود متوقفش کرد و خودش تمام می‌شود.',
  call_running: () => 'این درخواست هنوز در جریان است.',
  nothing_charged: () => 'برای این درخواست پولی گرفته نشده است.',
  refunded_before: ({ request, refunded }) =>
    persian`پول ${request} پیش‌تر بازگردانده شده است (${usd(refunded)} دلار)؛ موجودی را اصلاح کنید.`,
  refund_too_large: ({ request, asked, charged }) =>
    persian`${usd(asked)} دلار از بهای ${request} بیشتر است؛ دست‌بالا ${usd(charged)} دلار.`,
  video_open: () => 'این ویدئو هنوز ساخته می‌شود و اگر نشود، پولش خودبه‌خود برمی‌گردد.',
  account_not_found: ({ account }) => persian`حساب ${account} نیست.`,
  balance_below_zero: ({ account, balance, after }) =>
    persian`موجودی حساب ${account} اکنون ${usd(balance)} دلار است و ${usd(after)} دلار می‌شود؛ اگر همین را می‌خواهید، تأیید کنید.`,
  model_not_found: ({ model }) => persian`مدل ${model} نیست.`,
  invalid_alias: () => 'این شناسه فاصله یا ستاره دارد.',
  alias_is_model: ({ alias }) => persian`مدلی با شناسهٔ ${alias} هست.`,
  alias_taken: ({ model }) => persian`این نام از آنِ ${model} است.`,
  alias_not_found: ({ alias }) => persian`نام ${alias} نیست.`,
  fallback_is_itself: () => 'مدل جانشین خودش نمی‌شود.',
  fallback_is_name: ({ model, aliasOf }) =>
    persian`${model} نامی برای چند مدل است؛ خود آن‌ها را بنویسید: ${names(aliasOf)}`,
  fallback_other_family: ({ model, family, fallback, fallbackFamily }) =>
    persian`${fallback} از گونهٔ ${fallbackFamily} است و ${model} از گونهٔ ${family}؛ نمی‌تواند به جای آن پاسخ دهد.`,
  no_fallbacks: () => 'این گونه مدل جانشین نمی‌پذیرد.',
  too_many_fallbacks: ({ max }) => persian`دست‌بالا ${figure(max)} مدل را می‌توان نام برد.`,
  name_has_no_own: ({ model, aliasOf }) =>
    persian`${model} نامی برای چند مدل است و از خود مسیر و قیمتی ندارد؛ آن‌ها را تغییر دهید: ${names(aliasOf)}`,
  sms_log_outside_demo: () =>
    persian`فقط سرویسی که در حالت نمایشی است (CHAPAR_DEMO=1) کدها را در ترمینال خود می‌نویسد.`,
  sms_option_missing: ({ option }) => persian`«${option}» لازم است.`,
  sms_option_unknown: ({ option }) => persian`«${option}» شناخته نیست.`,
  sms_secret_missing: () => 'این سرویس کلید می‌خواهد.',
  sms_too_many: ({ max }) => persian`دست‌بالا ${figure(max)} سرویس پیامک می‌توان داشت.`,
  gateway_name_invalid: () => persian`نام تنها حروف کوچک انگلیسی، رقم و خط تیره است، و bank نیست.`,
  gateway_kind_stays: ({ name, kind }) =>
    persian`«${name}» درگاه ${kind} است؛ به تازه نام دیگری بدهید.`,
  gateways_too_many: ({ max }) => persian`دست‌بالا ${figure(max)} درگاه می‌توان داشت.`,
  gateway_option_unknown: ({ option }) => persian`«${option}» شناخته نیست.`,
  gateway_option_missing: ({ option }) => persian`«${option}» لازم است.`,
  gateway_option_invalid: ({ option, value }) => persian`«${option}» نمی‌تواند ${value} باشد.`,
  gateway_secret_missing: () => 'درگاه راز خود را می‌خواهد.',
  gateway_secret_invalid: ({ kind, lines }) =>
    persian`راز ${kind} سطرهای دیگری دارد: ${names(lines)}`,
  gateway_refused: ({ name, fault }) =>
    fault === 'no_answer'
      ? persian`«${name}» پاسخی نداد که خوانده شود.`
      : persian`«${name}» نپذیرفت: ${fault}`,
  gateway_not_found: ({ name }) => persian`درگاه ${name} نیست.`,
  gateway_waits: ({ waiting, name }) =>
    persian`${figure(waiting)} پرداخت هنوز منتظر «${name}» است و دیگر افزوده نمی‌شد. نخست آن‌ها را روشن کنید.`,
  payment_not_found: ({ payment }) => persian`پرداخت ${payment} با کارت نیست.`,
  payment_gateway_gone: ({ gateway }) =>
    persian`درگاه «${gateway}» برداشته شده است؛ آن را دوباره تنظیم کنید.`,
  redeem_amount_missing: () => 'هر کد بیش از هیچ می‌ارزد.',
  redeem_codes_count: ({ max }) => persian`هر بار ۱ تا ${figure(max)} کد ساخته می‌شود.`,
  redeem_expiry_past: () => 'زمان پایان گذشته است.',
  redeem_code_not_found: ({ name }) => persian`کد ${name} نیست.`,
  redeem_code_ended: () => 'چیزی برای باطل کردن نمانده است.',
  note_not_found: () => 'چنین یادداشتی نیست.',
  person_not_found: ({ person }) =>
    persian`شخص ${person} نیست؛ دیگر کسی با این شماره وارد نمی‌شود.`,
  phone_taken: ({ phone }) => persian`شمارهٔ ${phone} از آنِ شخص دیگری است.`,
  sms_refused: ({ name, fault }) => persian`«${name}» پیام را نپذیرفت: ${fault}`,
  sms_not_found: ({ name }) => persian`سرویس پیامک ${name} نیست.`,
  sister_url_invalid: ({ url }) =>
    persian`${url} نشانی https نیست؛ http تنها برای همین دستگاه است.`,
  sister_name_invalid: () => 'نام ۱ تا ۴۰ نویسه است.',
  sister_secret_short: ({ min }) => persian`راز کمتر از ${figure(min)} نویسه دارد.`,
  sister_secret_missing: () => 'سرویس همکار راز می‌خواهد.',
  sister_not_found: () => 'سرویس همکاری تنظیم نشده است.',
  key_rpm_above_account: ({ max }) =>
    persian`این حساب در دقیقه تا ${figure(max)} درخواست اجازه می‌دهد؛ نخست آن را بالا ببرید.`,
  key_revoked: ({ key }) => persian`کلید ${key} برای همیشه باطل شده است؛ کلید تازه بسازید.`,
  key_expiry_past: () => 'زمان انقضا گذشته است.',
  model_pattern_invalid: ({ pattern }) =>
    persian`نه شناسهٔ مدل است و نه الگویی مانند openai/*: ${isolated(pattern)}`,
  address_range_invalid: ({ range }) => persian`نه نشانی است و نه بازه: ${isolated(range)}`,
  model_exists: ({ model }) => persian`مدل ${model} از پیش هست.`,
  route_missing: () => 'مدل دست‌کم یک مسیر می‌خواهد.',
  route_vendor_unknown: ({ vendor, known }) =>
    persian`تأمین‌کنندهٔ ${vendor} نیست؛ این‌ها هست: ${names(known)}`,
  responses_missing: ({ trait, vendor }) =>
    persian`تأمین‌کنندهٔ ${vendor} مسیر Responses کاملی که شناخته باشد ندارد؛ مدل آن نمی‌تواند ویژگی ${trait} داشته باشد.`,
  vendor_exists: ({ vendor }) => persian`تأمین‌کننده‌ای به نام ${vendor} هست.`,
  vendor_kind_unknown: ({ kind, known }) =>
    persian`تأمین‌کننده‌ای از گونهٔ ${kind} نیست؛ این‌ها هست: ${names(known)}`,
  vendor_dialect_unknown: ({ dialect, known }) =>
    persian`گویش ${dialect} نیست؛ این‌ها هست: ${names(known)}`,
  vendor_address_missing: () => 'نشانی لازم است.',
  vendor_address_invalid: ({ address }) => persian`این نشانی وب نیست: ${address}`,
  vendor_address_not_bare: () =>
    'نشانی نباید کاربر، پرسش یا بخش پس از # داشته باشد؛ کلید جای خود را دارد.',
  vendor_address_own: () => 'این نشانی خود همین سرویس است.',
  vendor_trial_failed: ({ vendor, problem: code, answered: status, address }) =>
    persian`${vendor}: ${trialProblem({ code, status, address })} چیزی ذخیره نشد.`,
  bill_unusable: ({ message }) => persian`این صورت‌حساب خوانده نشد: ${message}`,
  vendor_not_found: ({ vendor }) => persian`تأمین‌کنندهٔ ${vendor} نیست.`,
  vendor_found: () => 'این تأمین‌کننده از محیط اجرا آمده است و آنجا برداشته می‌شود.',
  vendor_key_elsewhere: ({ vendor }) =>
    persian`کلید ${vendor} در محیط اجرای درگاه است و اینجا شناخته نیست؛ متغیر آن اینجا هم لازم است.`,
  invalid_vendor_name: () => 'نام تنها از حروف انگلیسی، رقم، خط تیره و زیرخط است.',
  invalid_credential_name: () => 'نام کلید تنها از حروف انگلیسی، رقم، خط تیره و زیرخط است.',
  credential_exists: () => 'کلیدی به این نام هست.',
  credential_known: () => 'همین کلید با نام دیگری هست.',
  credential_not_found: () => 'چنین کلیدی نیست.',
  last_credential: () => 'این آخرین کلید روشن است؛ بی آن تأمین‌کننده بدون کلید خوانده می‌شود.',
  no_price_by_rule: ({ model }) =>
    persian`برای ${model} با قاعده قیمتی درنمی‌آید؛ هزینه‌اش دانسته نیست یا قیمت دستی می‌خواهد.`,
  incomplete_prices: ({ type, free, missing }) =>
    free
      ? persian`مدل رایگان ${type} با این قیمت‌ها فروخته نمی‌شود: ${names(missing)}`
      : persian`مدل ${type} بی این قیمت‌ها، بالای صفر، فروخته نمی‌شود: ${names(missing)}`,
  uncounted_prices: ({ type, meters }) =>
    persian`برای مدل ${type} این‌ها شمرده نمی‌شود: ${names(meters)}`,
  rule_not_found: ({ scope }) => persian`برای ${scope} قاعده‌ای نیست.`,
  rule_is_last: () => 'قاعدهٔ همگانی همیشه می‌ماند.',
  account_without_owner: () => 'کسی با این حساب وارد نمی‌شود؛ نمایی برای دیدن نیست.',
  notice_not_failed: () => 'هیچ راهی این اعلان را رها نکرده است.',
  group_not_found: ({ group }) => persian`گروه ${group} نیست.`,
  group_exists: ({ group }) => persian`گروه دیگری ${group} نام دارد.`,
  proposal_not_pending: ({ id }) => persian`پیشنهاد ${figure(id)} دیگر منتظر نیست.`,
  end_not_later: () => 'پایان فروش یک مدل را نمی‌توان برای بعد گذاشت.',
  verification_not_found: () => 'این حساب مشخصاتی نفرستاده، یا پاک شده است.',
  verification_decided: () => 'پیش از این همین تصمیم گرفته شده است.',
  verification_reason_invalid: ({ max }) => persian`دلیل ۱ تا ${figure(max)} نویسه است.`,
  national_code_taken: () => 'حساب دیگری با همین کد ملی تأیید شده است.',
  checker_url_invalid: ({ url }) =>
    persian`${url} نشانی https نیست؛ http تنها برای همین دستگاه است.`,
  checker_body_invalid: () => persian`بدنه باید JSON باشد و {national_code} در آن بیاید.`,
  checker_pointer_invalid: ({ pointer }) =>
    persian`${pointer} نشانگر JSON مانند /data/matched نیست.`,
  checker_header_invalid: ({ header }) => persian`${header} نمی‌تواند نام سرآیند باشد.`,
  checker_not_found: () => 'هیچ سرویسی تصمیم نمی‌گیرد؛ تصمیم با گردانندگان است.',
  mail_host_invalid: () => 'نام سرور درست نیست.',
  mail_from_invalid: () => 'فرستنده نشانی درستی نیست.',
  mail_open: () => 'نامه بی رمزنگاری تنها روی همین دستگاه می‌رود.',
  mail_password_missing: ({ user }) => persian`گذرواژهٔ «${user}» لازم است.`,
  mail_refused: ({ host, fault }) => persian`${host} نامه را نپذیرفت: ${fault}`,
  mail_not_found: () => 'هنوز سرور نامه‌ای نیست.',
  account_closed: ({ account }) => persian`حساب ${account} برای همیشه بسته شده است.`,
  account_busy: ({ account }) =>
    persian`درخواستی از حساب ${account} در جریان است، یا موجودی آن همین حالا تغییر کرده است؛ کمی بعد دوباره امتحان کنید.`,
  payment_waits: ({ account }) =>
    persian`پرداختی برای حساب ${account} هنوز در بانک باز است؛ بیست دقیقهٔ دیگر دوباره امتحان کنید.`,
  account_owes: ({ account, balance }) =>
    persian`موجودی حساب ${account} برابر ${usd(balance)} دلار است؛ نخست آن را تسویه کنید.`,
  balance_left: ({ account, balance }) =>
    persian`در حساب ${account} هنوز ${usd(balance)} دلار مانده است که به کسی پرداخت نمی‌شود.`,
  account_name_differs: ({ account }) => persian`نام حساب ${account} این نیست.`,
  sandbox_only_switched: () => 'مدل‌های آزمایشی تنها روشن و خاموش می‌شوند.',
}
