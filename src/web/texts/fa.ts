import { faAccount, faAccountErrors, faAccountNav } from './fa-account'
import { faHolder, faHolderErrors, faHolderNav } from './fa-holder'
import { faCredit, faCreditErrors, faCreditNav } from './fa-credit'
import { faMoney, faMoneyNav } from './fa-money'
import { faPeople, faPeopleErrors } from './fa-people'

/** Texts of the web app in Persian, the source of truth: other languages must have the same keys. */
export const fa = {
  app: { tagline: 'یک کلید، همهٔ مدل‌ها' },
  forms: { save: 'ذخیره', cancel: 'انصراف' },
  signIn: {
    submit: 'ورود',
    title: 'ورود به {service}',
    lead: 'شمارهٔ موبایلتان را وارد کنید؛ کد ورود را پیامک می‌کنیم.',
    phone: 'شمارهٔ موبایل',
    send: 'ارسال کد',
    codeTitle: 'کد را وارد کنید',
    codeLead: 'کد {count, number} رقمی را به <phone>{number}</phone> فرستادیم.',
    sentBefore:
      'برای این شماره کدهای زیادی خواسته شده است و اکنون کد دیگری نمی‌فرستیم. همان {count, number} رقمی را وارد کنید که {minutes, number} دقیقه پیش به <phone>{number}</phone> پیامک شد.',
    longCode: 'کد {count, number} رقمی',
    digit: 'رقم {index, number} کد',
    resend: 'ارسال دوبارهٔ کد',
    resendIn: 'ارسال دوباره تا {seconds} ثانیهٔ دیگر',
    change: 'تغییر شماره',
    inTerminal:
      'این سرویس در حالت نمایشی است و پیامکی فرستاده نشد: کد در ترمینال یا گزارش سرویس نوشته شده است.',
    models: 'مدل‌ها و بهای آن‌ها',
    home: 'صفحهٔ نخست',
    terms: 'با ورود، شرایط استفاده را می‌پذیرید. متن گفت‌وگوهایتان را نگه نمی‌داریم.',
  },
  ...faAccount,
  ...faPeople,
  ...faMoney,
  ...faHolder,
  ...faCredit,
  nav: {
    ...faAccountNav,
    ...faMoneyNav,
    ...faCreditNav,
    models: 'مدل‌ها',
    playground: 'آزمایشگاه',
    ...faHolderNav,
    home: 'خانه',
    members: 'اعضا',
    settings: 'تنظیمات',
    docs: 'مستندات',
    signOut: 'خروج',
    skip: 'رفتن به متن اصلی',
    menu: 'فهرست',
  },
  home: {
    balance: 'موجودی',
    held: '{amount} برای درخواست‌های در جریان کنار گذاشته شده است.',
    suspended: 'این حساب بسته است و درخواست‌هایش پذیرفته نمی‌شود. با پشتیبانی تماس بگیرید.',
    account: 'حساب',
    verified: 'احرازشده',
    unverified: 'احرازنشده',
    phone: 'شمارهٔ موبایل',
    role: 'نقش شما',
    owner: 'مالک',
    member: 'عضو',
    number: 'شمارهٔ حساب',
    firstStep: 'نخستین درخواست',
    firstStepLead:
      'برنامه‌ها با کلید درخواست می‌دهند. یکی بسازید: صفحه‌اش نمونهٔ کد دارد و کلید را با درخواستی واقعی امتحان می‌کند.',
    makeKey: 'ساختن کلید',
    guide: 'راهنمای شروع',
  },
  settings: {
    sessions: 'دستگاه‌های واردشده',
    sessionsLead: 'هر جا که با این شماره وارد شده‌اید.',
    endAll: 'خروج از همه',
    current: 'همین دستگاه',
    seen: 'آخرین بازدید {when}',
    unknownDevice: 'دستگاه ناشناس',
  },
  phoneMoves: {
    lead: 'پشتیبانی شمارهٔ موبایل این حساب را {when} عوض می‌کند و همه‌جا خارج می‌شوید. اگر شما نخواسته‌اید، شماره را نگه دارید.',
    keep: 'شماره را نگه دار',
  },
  errors: {
    ...faAccountErrors,
    ...faPeopleErrors,
    model_not_found: 'مدلی با این شناسه اکنون فروخته نمی‌شود.',
    ...faHolderErrors,
    ...faCreditErrors,
    phone_invalid: 'این شمارهٔ موبایل ایران نیست. نمونه: ۰۹۱۲ ۳۴۵ ۶۷۸۹',
    code_wrong: 'کد درست نیست. {left, number} بار دیگر می‌توانید امتحان کنید.',
    code_expired:
      'این کد اینجا پذیرفته نیست: زمانش گذشته، یا مرورگر دیگری آن را خواسته است. کد تازه بگیرید.',
    code_long_wrong:
      'کد درست نیست. همهٔ {digits, number} رقم آخرین پیامکی را وارد کنید که همین تعداد رقم دارد.',
    code_void: 'این کد بارها نادرست وارد شد و دیگر پذیرفته نیست. کد تازه بگیرید.',
    code_locked:
      'از دستگاه‌های دیگر برای این شماره کد نادرست زیاد وارد شده است. با دستگاه یا از جایی که پیش‌تر وارد شده‌اید، یا با گذرکلید وارد شوید، یا {waitHours, number} ساعت دیگر؛ پشتیبانی می‌تواند همین حالا این محدودیت را بردارد.',
    code_too_soon: 'کد فرستاده شده است. {waitSeconds, number} ثانیهٔ دیگر دوباره امتحان کنید.',
    code_too_often:
      'کدهای زیادی خواسته شده است. با دستگاهی که پیش‌تر وارد شده‌اید امتحان کنید، یا {waitMinutes, number} دقیقهٔ دیگر.',
    sms_capacity:
      'اکنون نمی‌توانیم برای دستگاه تازه کد بفرستیم. با دستگاهی که پیش‌تر وارد شده‌اید یا با گذرکلید وارد شوید، یا {waitMinutes, number} دقیقهٔ دیگر دوباره امتحان کنید.',
    sms_failed: 'پیامک فرستاده نشد. کمی بعد دوباره امتحان کنید.',
    too_many_requests: 'درخواست‌ها زیاد شد. {waitSeconds, number} ثانیهٔ دیگر دوباره امتحان کنید.',
    read_too_long: 'خواندن این‌ها زیاد طول کشید. بازهٔ کوتاه‌تری انتخاب کنید.',
    read_too_many: 'اکنون خواننده زیاد است. کمی بعد دوباره امتحان کنید.',
    signed_out: 'از حساب خارج شده‌اید. دوباره وارد شوید.',
    forged: 'این درخواست از صفحهٔ خود سرویس نیامده است.',
    needs_https:
      'ورود به این سرویس https می‌خواهد. صفحه را با نشانی https باز کنید؛ گرداننده می‌تواند CHAPAR_URL را تنظیم کند.',
    not_found: 'اینجا چیزی نیست.',
    invalid: 'درخواست درست نیست. صفحه را تازه کنید.',
    unavailable: 'سرویس اکنون نمی‌تواند چیزی ذخیره کند. کمی بعد دوباره امتحان کنید.',
    other: 'کاری از پیش نرفت. دوباره امتحان کنید.',
    retry: 'دوباره',
  },
  scheme: { toggle: 'روشن یا تیره' },
}
export type Texts = typeof fa
