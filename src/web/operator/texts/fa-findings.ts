import type { FindingCode } from '../../../console/api/operator/operation-types'

/** Findings of the doctor in Persian; names in braces are facts of the finding. */
interface FoundWords {
  readonly check: string
  readonly found: string
  readonly advice?: string
}

export const faFindings: Readonly<Record<FindingCode, FoundWords>> = {
  folder_missing: {
    check: 'پوشهٔ داده',
    found: '{folder} نیست.',
    advice: 'با chapar quickstart بسازید، یا با ‎--data پوشهٔ دیگری بگویید.',
  },
  database_missing: {
    check: 'پوشهٔ داده',
    found: '{folder} پایگاه داده‌ای ندارد.',
    advice: 'با chapar quickstart بسازید، یا با ‎--data پوشهٔ دیگری بگویید.',
  },
  database_gone: {
    check: 'پوشهٔ داده',
    found: 'پایگاه دادهٔ {folder} نیست یا خالی است.',
    advice:
      'chapar.db را همراه chapar.db-wal برگردانید، یا پشتیبان را به‌جایش بگذارید: chapar restore FILE --force',
  },
  folder_unwritable: {
    check: 'پوشهٔ داده',
    found: 'در {folder} نمی‌توان نوشت.',
    advice: 'پوشه را با chown -R از آنِ کاربری کنید که chapar را اجرا می‌کند.',
  },
  folder_private: { check: 'پوشهٔ داده', found: '{folder} تنها از آنِ صاحبش است.' },
  folder_open: {
    check: 'پوشهٔ داده',
    found: 'دیگران این‌ها را می‌توانند بخوانند: {files}',
    advice: 'دسترسی دیگران را بردارید: chmod -R go= {folder}',
  },
  spool_foreign: {
    check: 'صف هزینه‌ها',
    found: 'هزینه‌های پایگاه دادهٔ دیگری اینجاست: {files}',
    advice: 'پایگاه داده‌شان را کنارشان بگذارید، یا پاکشان کنید.',
  },
  spool_damaged: {
    check: 'صف هزینه‌ها',
    found: 'صف هزینه‌ها آسیب دیده بود و هزینهٔ برخی درخواست‌ها از دست رفت. رونوشت آن: {files}',
    advice: 'دیسک را بررسی کنید؛ رونوشت را هر وقت لازم نبود پاک کنید.',
  },
  gateway_serves: { check: 'درگاه', found: 'پردازهٔ {pid} با این پوشه کار می‌کند.' },
  gateway_idle: { check: 'درگاه', found: 'هیچ پردازه‌ای با این پوشه کار نمی‌کند.' },
  proxy_untrusted: {
    check: 'پروکسی',
    found: '{address} سرایند {header} را می‌فرستد و باور نمی‌شود: همهٔ کاربرانش یکی شمرده می‌شوند.',
    advice: 'اگر پروکسی شماست، {line} را در محیط chapar serve بگذارید.',
  },
  public_url_missing: {
    check: 'نشانی',
    found: 'کاربران با نشانی {host} می‌آیند و CHAPAR_URL تنظیم نشده است.',
    advice:
      'CHAPAR_URL=https://… را در محیط chapar serve بگذارید: تا آن زمان پرداخت با کارت بسته است و کوکی‌ها فقط با https فرستاده می‌شوند.',
  },
  demo: {
    check: 'حالت نمایشی',
    found: 'کدهای ورود در ترمینال نوشته می‌شوند و بانک آزمایشی پول نمی‌گیرد.',
    advice: 'پیش از آمدن کاربران، سرویس را بدون --demo و CHAPAR_DEMO راه بیندازید.',
  },
  root: {
    check: 'کاربر سیستم',
    found: 'سرویس با کاربر root کار می‌کند.',
    advice: 'آن را با کاربر جداگانه‌ای راه بیندازید: User= در systemd و user: در compose.',
  },
  disk: { check: 'دیسک', found: '{gigabytes} گیگابایت خالی است.' },
  disk_low: {
    check: 'دیسک',
    found: '{gigabytes} گیگابایت خالی است.',
    advice: 'جا باز کنید: بی آن هزینه‌ای ثبت نمی‌شود و درخواستی پذیرفته نمی‌شود.',
  },
  open_files: { check: 'پرونده‌های باز', found: 'تا {most}' },
  open_files_few: {
    check: 'پرونده‌های باز',
    found: 'تا {most}، پس نزدیک {streams} جریان هم‌زمان',
    advice: 'ulimit -n 65535، یا LimitNOFILE=65535 در واحد systemd',
  },
  tcp_migrate: {
    check: 'جابه‌جایی اتصال‌ها (tcp_migrate_req)',
    found: 'روشن است، برای {processes} پردازه',
  },
  tcp_migrate_off: {
    check: 'جابه‌جایی اتصال‌ها (tcp_migrate_req)',
    found: 'خاموش است، با {processes} پردازه',
    advice: 'sysctl -w net.ipv4.tcp_migrate_req=1؛ وگرنه اتصال‌های منتظر قطع می‌شوند',
  },
  tcp_migrate_missing: {
    check: 'جابه‌جایی اتصال‌ها (tcp_migrate_req)',
    found: 'این هسته آن را ندارد (لینوکس ۵٫۱۴)',
    advice: 'بدون آن، هنگام جایگزینی پردازه‌ها اتصال‌های منتظر قطع می‌شوند',
  },
  postgres: { check: 'سرور PostgreSQL', found: 'نسخهٔ {version}' },
  postgres_unsafe: {
    check: 'سرور PostgreSQL',
    found:
      '{setting} خاموش است: با رفتن برق آن دستگاه، آنچه پایگاه داده تأیید کرده است از دست می‌رود.',
    advice: 'ALTER SYSTEM SET {setting} = on و سپس SELECT pg_reload_conf()',
  },
  postgres_connections_few: {
    check: 'سرور PostgreSQL',
    found: '{connections} اتصال دارد و شاید {needed} اتصال لازم شود.',
    advice: 'max_connections را بیشتر کنید: هر پردازه تا ۶ اتصال می‌گیرد.',
  },
  nodes: { check: 'پردازه‌ها', found: '{count} پردازه از این پایگاه داده سرویس می‌دهد.' },
  nodes_silent: {
    check: 'پردازه‌ها',
    found: 'ساکت‌اند و کسی جایشان را نگرفته است: {nodes}',
    advice: 'chapar nodes list؛ پردازهٔ دیگری که چند ثانیه سرویس داده باشد جایشان را می‌گیرد.',
  },
  nodes_versions: {
    check: 'پردازه‌ها',
    found: 'نسخه‌هایشان یکی نیست: {versions}',
    advice: 'chapar nodes list؛ پردازه‌های قدیمی‌تر را عوض کنید.',
  },
  nodes_older: {
    check: 'پردازه‌ها',
    found: 'نسخهٔ قدیمی‌تری سرویس می‌دهد که همهٔ داده‌های این نسخه را نمی‌نویسد: {nodes}',
    advice: 'همهٔ آن‌ها را متوقف کنید و سپس این نسخه را اجرا کنید.',
  },
  database_newer: {
    check: 'پایگاه داده',
    found: 'نسخهٔ جدیدتری قالب داده‌ها را عوض کرده است.',
    advice: 'از همان نسخه استفاده کنید.',
  },
  clock: { check: 'ساعت', found: '{time}' },
  clock_past: {
    check: 'ساعت',
    found: '{time} در گذشته است.',
    advice: 'ساعت را درست کنید (timedatectl set-ntp true): روزها و ماه‌های سقف‌ها به آن بسته‌اند.',
  },
  clock_behind: {
    check: 'ساعت',
    found: 'اکنون {time} است، ولی تازه‌ترین ردیف پایگاه داده از {later} است.',
    advice: 'ساعت را درست کنید (timedatectl set-ntp true): روزها و ماه‌های سقف‌ها به آن بسته‌اند.',
  },
  clock_ahead_of_database: {
    check: 'ساعت',
    found: '{seconds} ثانیه از ساعت پایگاه داده جلوتر است.',
    advice:
      'هر دو ساعت را درست کنید (timedatectl set-ntp true): کدها و نشست‌های یک پردازه نزد دیگران هم معتبرند.',
  },
  clock_behind_database: {
    check: 'ساعت',
    found: '{seconds} ثانیه از ساعت پایگاه داده عقب‌تر است.',
    advice:
      'هر دو ساعت را درست کنید (timedatectl set-ntp true): کدها و نشست‌های یک پردازه نزد دیگران هم معتبرند.',
  },
  secrets: { check: 'کلید رمز (secret.key)', found: 'نسل {generation} به کار می‌رود.' },
  secrets_unfinished: {
    check: 'کلید رمز (secret.key)',
    found: 'نسل {before} پس از {days} روز هنوز پذیرفته می‌شود.',
    advice:
      'chapar secret status نشان می‌دهد چه مانده است؛ chapar secret rotate --finish تمامش می‌کند.',
  },
  secrets_not_in_use: {
    check: 'کلید رمز (secret.key)',
    found: 'نسل {next} ساخته شده است و هنوز به کار نمی‌رود؛ گره‌هایی که آن را نخوانده‌اند: {nodes}',
    advice: 'secret.key تازه را روی همهٔ ماشین‌ها بگذارید و سپس chapar secret rotate را اجرا کنید.',
  },
  secrets_in_file: {
    check: 'کلید رمز (secret.key)',
    found: 'نسل {generations} در این ماشین مانده است، هرچند دیگر پذیرفته نمی‌شود.',
    advice:
      'روی این ماشین chapar secret rotate --finish را اجرا کنید، یا secret.key تازه را این‌جا بگذارید.',
  },
  ledger: {
    check: 'دفتر',
    found: '{requests} درخواست و {transfers} جابه‌جایی با هم می‌خوانند.',
  },
  ledger_differs: {
    check: 'دفتر',
    found: '{count} ناهمخوانی، مانند {first}',
    advice: 'chapar audit همه را نشان می‌دهد؛ chapar restore پشتیبانی را بازمی‌گرداند.',
  },
  spool: { check: 'صف هزینه‌ها', found: 'همهٔ هزینه‌ها در پایگاه داده است.' },
  spool_waits: {
    check: 'صف هزینه‌ها',
    found: '{count} هزینه به مبلغ {usd} دلار هنوز در پایگاه داده نیست.',
    advice: 'chapar serve می‌نویسدشان؛ هنگام کار، منتظر جای خالی دیسک یا یک قفل‌اند.',
  },
  models: { check: 'مدل‌ها', found: '{count} مدل فروخته می‌شود.' },
  models_none: {
    check: 'مدل‌ها',
    found: 'مدلی فروخته نمی‌شود.',
    advice: 'chapar vendor add، یا کلیدی مانند OPENAI_API_KEY در محیط',
  },
  models_sandbox_only: {
    check: 'مدل‌ها',
    found: '{count} مدل فروخته می‌شود که همه آزمایشی‌اند.',
    advice: 'chapar vendor add، یا کلیدی مانند OPENAI_API_KEY در محیط',
  },
  sandbox_on_sale: {
    check: 'مدل‌های آزمایشی',
    found: '{count} مدل آزمایشی به همهٔ مشتریان فروخته می‌شود: پاسخشان ساختگی است.',
    advice: 'chapar settings set sandbox off',
  },
  fallbacks_gone: {
    check: 'جانشین‌ها',
    found: 'دیگر فروخته نمی‌شوند: {models}',
    advice: 'chapar model set ID --fallbacks … (یا ‎--alias-of …)',
  },
  prices_missing: {
    check: 'قیمت‌ها',
    found: 'به سبب نبود قیمت فروخته نمی‌شوند: {models}',
    advice: 'chapar model set ID --price …',
  },
  prices_silent: {
    check: 'قیمت‌ها',
    found: 'این قیمت‌ها هرگز حساب نمی‌شوند، چون قیمت‌های دیگر همان مدل حساب می‌شوند: {models}',
    advice: 'یکی از دو گونه قیمت را بردارید: chapar model set ID --price KEY=none',
  },
  below_cost: {
    check: 'زیر بها',
    found: 'کمتر از بهای یکی از مسیرهایشان فروخته می‌شوند: {models}',
    advice: 'قیمت مدل را در «قیمت‌ها» ببینید؛ یا chapar model show ID',
  },
  group_below_cost: {
    check: 'زیر بها',
    found: 'به گروهی کمتر از بهای یکی از مسیرهایشان فروخته می‌شوند: {models}',
    advice: 'قاعده‌های قیمت آن گروه را ببینید.',
  },
  price_changes: {
    check: 'تغییر قیمت‌ها',
    found: 'منتظر تصمیم شما: {models}',
    advice: 'پیشنهادهای قیمت را بپذیرید یا رد کنید.',
  },
  public_prices: { check: 'قیمت‌های همگانی', found: '{when} وارسی شد.' },
  public_prices_failed: {
    check: 'قیمت‌های همگانی',
    found: '{when} وارسی شد؛ خوانده نشد: {why}',
    advice: 'chapar prices check؛ منبع‌ها در تنظیم prices-sources است.',
  },
  vendor_off: { check: 'فروشندهٔ {vendor}', found: 'خاموش است.' },
  vendor_not_asked: {
    check: 'فروشندهٔ {vendor}',
    found: 'در محیط درگاه است؛ پرسیده نشد، چون کلیدش اینجا شناخته نیست.',
  },
  vendor_reached: {
    check: 'فروشندهٔ {vendor}',
    found: 'پاسخ داد؛ {models} مدل دارد. ماندهٔ حساب ما: {left}',
  },
  vendor_fails: {
    check: 'فروشندهٔ {vendor}',
    found: 'پاسخ درستی نداد: {problem}',
    advice: 'فروشنده را در صفحهٔ خودش بیازمایید و درست کنید.',
  },
  vendor_empty: {
    check: 'فروشندهٔ {vendor}',
    found: 'پولی در حساب ما نزد او نمانده است.',
    advice: 'حساب را نزد او شارژ کنید.',
  },
  vendor_refuses_key: {
    check: 'فروشندهٔ {vendor}',
    found: 'از {since} کلید ما را نمی‌پذیرد.',
    advice: 'کلید را در صفحهٔ فروشنده عوض کنید.',
  },
  vendor_out_of_money: {
    check: 'فروشندهٔ {vendor}',
    found: 'از {since} حساب ما نزد او خالی است.',
    advice: 'حساب را نزد او شارژ کنید.',
  },
  vendor_down: {
    check: 'فروشندهٔ {vendor}',
    found: 'از {since} از کار افتاده است.',
    advice: 'فروشنده را در صفحهٔ خودش بیازمایید.',
  },
}
