import type {
  CauseCode,
  RemarkCode,
  SourceProblemCode,
} from '../../../console/api/operator/operation-types'

/** Meanings of settings and their written forms in Persian: English stands beside the setting itself. */
interface Meaning {
  readonly about: string
  readonly written: string
}

const onOff = 'on یا off'
const dollars = 'مبلغی به دلار از صفر'
const dollarsOrNone = 'مبلغی به دلار از صفر، یا none'
const link = 'نشانی‌ای مانند https://… یا mailto:…، یا none'
const fromOne = 'عددی درست از ۱'

/** Meanings of settings in Persian, by the names of settings. */
export const faMeanings: Readonly<Record<string, Meaning>> = {
  gateway: {
    about:
      'با off همهٔ درخواست‌های پولی با gateway_disabled رد می‌شوند؛ آن‌ها که در جریان‌اند ادامه می‌یابند',
    written: onOff,
  },
  streaming: {
    about:
      'با off درخواست‌های stream: true با streaming_disabled رد می‌شوند؛ جریان‌های باز ادامه می‌یابند',
    written: onOff,
  },
  'day-capacity': {
    about: 'دلاری که همهٔ سرویس در یک روز (UTC) می‌تواند خرج کند',
    written: dollarsOrNone,
  },
  'kyc-ceiling': {
    about: 'دلاری که هر حساب پیش از احراز هویت روی هم می‌تواند خرج کند',
    written: dollars,
  },
  'person-accounts': {
    about: 'شمار حساب‌هایی که با یک کد ملی احراز می‌شوند',
    written: fromOne,
  },
  'notice-sms-per-day': {
    about: 'شمار پیامک‌های اعلان که در یک روز (UTC) به افراد یک حساب فرستاده می‌شود',
    written: 'عددی درست از ۰',
  },
  'staff-amount': {
    about:
      'دلاری که گردانندهٔ کارمند یک‌باره می‌تواند بیفزاید، بکاهد یا بازگرداند؛ مالک چنین سقفی ندارد',
    written: dollars,
  },
  'staff-day': {
    about:
      'دلاری که گردانندهٔ کارمند با همهٔ کلیدهایش در یک روز (UTC) می‌تواند بدهد: افزایش اعتبار، اصلاح، بازگرداندن، کد شارژ، سقف کلیدها و ماندهٔ حسابی که می‌بندد؛ در ۸۰٪ آن اعلانی می‌آید',
    written: dollars,
  },
  'staff-verifications': {
    about: 'شمار احراز هویت‌هایی که گردانندهٔ کارمند در یک روز (UTC) می‌تواند تأیید کند',
    written: 'عددی درست از ۰',
  },
  'operator-addresses': {
    about:
      'نشانی‌هایی که گردانندگان از آن‌ها پاسخ می‌گیرند؛ از جای دیگر چیزی از میز گردانندگان پیدا نیست',
    written: 'چند نشانی یا بازه با فاصله میانشان، یا any',
  },
  'sms-per-hour': {
    about:
      'شمار کدهای ورود که در یک ساعت فرستاده می‌شود، نیمی از آن برای دستگاه‌های ناآشنا و یک چهارم برای شماره‌های بی‌حساب؛ پس از آن اعلانی می‌آید و دیگر فرستاده نمی‌شود',
    written: fromOne,
  },
  'code-life': {
    about: 'ثانیه‌هایی که کد ورود پذیرفته می‌شود',
    written: 'عددی درست از ۳۰ تا ۶۰۰',
  },
  'session-idle': {
    about: 'تا چه زمانی مشتری بی‌آنکه بیاید واردشده می‌ماند',
    written: 'بازه‌ای از 10m تا 30d، مانند 12h یا 7d',
  },
  'session-life': {
    about: 'پس از چه زمانی از ورود، مشتری هر قدر هم بیاید باید دوباره وارد شود',
    written: 'بازه‌ای از 1h تا 90d، مانند 12h یا 30d',
  },
  'wrong-codes-alarm': {
    about: 'شمار کدهای ورود نادرست همهٔ شماره‌ها در یک ساعت که از آن به بعد اعلان می‌شود',
    written: fromOne,
  },
  'service-zone': {
    about:
      'منطقهٔ زمانی روزهایی که مصرف در برنامهٔ وب با آن‌ها شمرده می‌شود؛ تغییر آن برای درخواست‌های پس از آن است و روزهای گذشته همان می‌مانند',
    written: 'منطقه‌ای مانند Asia/Tehran یا UTC',
  },
  'address-rpm': {
    about: 'شمار درخواست یک نشانی در دقیقه',
    written: fromOne,
  },
  'address-concurrency': {
    about:
      'شمار درخواست‌های هم‌زمان یک نشانی، با جریان‌ها و سوکت‌ها؛ در نهایت یک چهارم پرونده‌های باز',
    written: fromOne,
  },
  'failed-attempts': {
    about:
      'شمار کلیدها و حدس‌های نادرست کد از یک نشانی در پنج دقیقه، پیش از آن که بعدی‌ها منتظر بمانند',
    written: fromOne,
  },
  'overload-lag': {
    about:
      'میلی‌ثانیه‌هایی که حلقهٔ رویداد می‌تواند یک ثانیه زیر کار درخواست‌ها پس بماند، پیش از آن که درخواست‌های پولی تازه 503 بگیرند؛ با ۰ هرگز رد نمی‌شوند، در serve --ephemeral هم',
    written: 'عددی درست از ۰ تا ۶۰۰۰۰',
  },
  sandbox: {
    about: 'با on مدل‌های آزمایشی برنامه فروخته می‌شوند که پاسخشان ساختگی است',
    written: onOff,
  },
  'app-url': {
    about:
      'جایی که مشتریان کلید و احراز هویت خود را می‌بینند؛ در پیام‌هایی می‌آید که آنان را به آن می‌فرستد',
    written: link,
  },
  'top-up-url': {
    about: 'جایی که مشتریان پول می‌پردازند؛ در پیام کمبود موجودی می‌آید',
    written: link,
  },
  'coin-rials': {
    about: 'شمار ریال‌های یک سکهٔ محلی که از درگاه‌های ایرانی خواسته می‌شود؛ برای تومان ۱۰',
    written: fromOne,
  },
  'rate-max-age': {
    about:
      'سنی که نرخ سکه می‌تواند داشته باشد، پیش از آن که افزودن پول با کارت بسته و اعلان شود؛ off یعنی هر سنی',
    written: 'بازه‌ای مانند 24h یا 7d، یا off',
  },
  'wrong-redeem-alarm': {
    about: 'شمار کدهای شارژ نادرست همهٔ افراد در یک ساعت که از آن به بعد اعلان می‌شود',
    written: fromOne,
  },
  'support-url': {
    about: 'جایی که مشتریان کمک می‌خواهند؛ در پیام حساب بسته می‌آید',
    written: link,
  },
  'brand-name': {
    about: 'نامی که مردم سرویس را به آن می‌خوانند، به هر زبان؛ کلیدها نام خود را نگه می‌دارند',
    written: 'نامی کوتاه، یا none',
  },
  'brand-colour': {
    about: 'رنگ دکمه‌ها و پیوندها؛ فام آن می‌ماند و چنان روشن یا تیره می‌شود که خوانده شود',
    written: 'رنگی مانند ‎#0b6b66، یا none',
  },
  'brand-logo': {
    about: 'نشان سرویس: یک پرونده، SVG بی‌اسکریپت یا PNG، تا ۶۴ کیلوبایت',
    written: 'SVG یا PNG تا ۶۴ کیلوبایت، یا none',
  },
  'output-allowance': {
    about: 'توکن‌های خروجی که وقتی مشتری سقفی نگذاشته است برایشان پول کنار گذاشته می‌شود',
    written: 'عددی درست از ۱ تا ۱۰٬۰۰۰٬۰۰۰',
  },
  'reasoning-allowance': {
    about: 'همان، برای مدل‌های استدلالی',
    written: 'عددی درست از ۱ تا ۱۰٬۰۰۰٬۰۰۰',
  },
  'realtime-hold': {
    about: 'دلاری که پیش از آنچه گفت‌وگوی زنده تا آن دم خرج کرده است کنار گذاشته می‌شود',
    written: dollars,
  },
  'vendor-count': {
    about:
      'با on شمارش count_tokens از فروشندگانی پرسیده می‌شود که توکن می‌شمارند، و متن برایشان فرستاده می‌شود',
    written: onOff,
  },
  'vendor-check-every': {
    about: 'مدتی که فروشنده درخواستی نداشته باشد تا با درخواستی رایگان وارسی شود؛ off یعنی هرگز',
    written: 'بازه‌ای مانند 30s، 5m یا 24h، یا off',
  },
  'vendor-down-after': {
    about: 'مدتی که فروشنده از کار افتاده باشد تا اعلان شود',
    written: 'بازه‌ای مانند 30s، 5m یا 24h',
  },
  'first-token-timeout': {
    about:
      'مدتی که جریانی می‌تواند هیچ نگوید تا مسیر بعدی آزموده شود؛ با off همان مهلت فروشنده است',
    written: 'بازه‌ای از 1s، مانند 30s یا 5m، یا off',
  },
  'vendor-store': {
    about:
      'با off از فروشندگان خواسته می‌شود پاسخی نگه ندارند (store: false)؛ آنگاه previous_response_id ادامه نمی‌یابد',
    written: onOff,
  },
  'prompt-cache': {
    about:
      'با on از Anthropic خواسته می‌شود متن‌های بزرگ قالب‌های دیگر را نگه دارد؛ هر نوشتن یک چهارم گران‌تر است',
    written: onOff,
  },
  'log-vendor-words': {
    about:
      'با on تا یک ساعت آنچه فروشندگان هنگام خطا می‌گویند ثبت می‌شود؛ شاید متن مشتریان در آن باشد',
    written: onOff,
  },
  'prices-sources': {
    about: 'داده‌های همگانی قیمت که وارسی قیمت‌ها می‌خواند؛ میان آرای برابر، نخستین تعیین می‌کند',
    written: 'چند نام، نشانی https یا پرونده با فاصله میانشان',
  },
  'prices-auto': {
    about:
      'با agree تغییری در بها که دو منبع بر آن هم‌نظرند و هیچ قیمتی را بیش از ۳۰٪ جابه‌جا نمی‌کند خودکار پذیرفته می‌شود',
    written: 'off یا agree',
  },
  'prices-check-every': {
    about: 'فاصلهٔ وارسی خودکار قیمت‌های همگانی، مانند 24h',
    written: 'off، یا از 1h تا 30d',
  },
  'stream-gather': {
    about:
      'میلی‌ثانیه‌هایی که تکه‌ای از جریان تند می‌تواند منتظر تکه‌های بعد بماند؛ با ۰ هر تکه همان دم می‌رود',
    written: 'عددی درست از ۰ تا ۱۰۰',
  },
}

/** What should be known of values that were set, by the codes of `settings/remarks`. */
export const faRemarks: Readonly<Record<RemarkCode, string>> = {
  colour_used:
    'صفحه‌ها در روز {day} (تضاد {dayContrast} به ۱) و در شب {night} ({nightContrast} به ۱) را به کار می‌برند',
  colour_too_light:
    '{colour} روی صفحهٔ روشن خوانده نمی‌شود (تضاد {contrast} به ۱ است و {minContrast} به ۱ لازم است)؛ صفحه‌ها همین فام را در روز با {day} (تضاد {dayContrast} به ۱) و در شب با {night} ({nightContrast} به ۱) به کار می‌برند',
}

/** Why a price was proposed, by the codes of `pricing/causes`. */
export const faCauses: Readonly<Record<CauseCode, string>> = {
  gateway_found: 'سرویس آن را یافت',
  before_rule: 'پیش از گذاشتن یک قاعده یافته شد',
  before_check: 'پیش از بررسی قیمت‌های عمومی یافته شد',
  rule_set: 'قاعده‌ای برای قیمت گذاشته شد',
  approved: 'تغییرهایی در قیمت‌ها پذیرفته شد',
  public_prices: 'قیمت‌های عمومی {day}',
  not_listed: 'دیگر هیچ منبعی آن را ندارد ({sources})',
  vendor_added: 'تأمین‌کنندهٔ {vendor} افزوده شد',
  vendor_changed: 'تأمین‌کنندهٔ {vendor} تغییر کرد',
  vendor_removed: 'تأمین‌کنندهٔ {vendor} برداشته شد',
  sandbox_on: 'مدل‌های آزمایشی روشن شد',
  sandbox_off: 'مدل‌های آزمایشی خاموش شد',
  models_imported: 'مدل‌های تأمین‌کنندهٔ {vendor} آورده شد',
  cost_typed: 'هزینهٔ {place} نوشته شد',
  model_added: 'مدل {model} افزوده شد',
  model_changed: 'مدل {model} تغییر کرد',
}

/** Why nothing of a source of public prices counts, by the codes of `pricing/source-problems`. */
export const faSourceProblems: Readonly<Record<SourceProblemCode, string>> = {
  unreadable: 'خوانده نمی‌شود',
  missing: 'چنین فایلی نیست',
  no_file: 'فایل نیست',
  too_large: 'از {mb} مگابایت بزرگ‌تر است',
  too_many_parts: 'بیش از داده‌های قیمت عضو دارد',
  web_page: 'صفحهٔ وب است، نه JSON',
  no_json: 'JSON کامل نیست',
  unknown_form: 'به هیچ‌یک از شکل‌های شناخته نیست: {forms}',
  no_model: 'هیچ مدلی از این سرویس در آن نیست',
  no_vendor: 'فایل هیچ‌یک از تأمین‌کنندگان این‌جا را ندارد',
  twin: 'همان {address} است و یک بار شمرده می‌شود',
  refused: 'میزبان آن {status} پاسخ داد',
  no_answer: 'میزبان آن پاسخ نمی‌دهد یا پاسخ را نیمه‌کاره رها می‌کند',
  too_late: 'در {seconds} ثانیه کامل نرسید',
  no_address: 'نشانی آن نشانی نیست',
  no_https: 'نشانی آن https نیست',
  not_public: 'نشانی آن عمومی نیست',
  leads_on: 'نشانی آن پی‌درپی به نشانی دیگری می‌برد',
}
