import { faOperatorAccounts } from './fa-accounts'
import { faOperatorDesk } from './fa-desk'
import { faOperatorGroups } from './fa-groups'
import { faOperatorLive } from './fa-live'
import { faOperatorService } from './fa-service'

/** Texts of the console; the source of truth as those of the web app are. Another subject is a file beside. */
export const operatorFa = {
  operatorEntrance: {
    tagline: 'میز گردانندگان',
    title: 'ورود گردانندگان',
    lead: 'نام، گذرواژه و کد برنامهٔ رمز یک‌بارمصرف.',
    notSetUp:
      'هنوز گرداننده‌ای نیست. پیوندی را باز کنید که برنامه هنگام اجرا نوشته است؛ chapar operator link پیوند دیگری می‌سازد.',
    name: 'نام',
    password: 'گذرواژه',
    showPassword: 'نشان دادن گذرواژه',
    code: 'کد یک‌بارمصرف',
    codeLead: 'شش رقم، یا یکی از کدهای بازیابی',
    passkeyAlone: 'ورود با گذرکلید',
    passkeyBeside: 'گذرکلید به جای کد',
    submit: 'ورود',
  },
  operatorPasskeys: {
    lead: 'به جای کد یک‌بارمصرف، یا تنها با آن، وارد شوید. ساختن آن گذرواژه می‌خواهد.',
  },
  operatorProof: {
    password: 'تأیید با گذرواژه',
  },
  operatorSetup: {
    title: 'گردانندهٔ تازه',
    leadFirst: 'شما نخستین گردانندهٔ این سرویس و مالک آن می‌شوید.',
    lead: 'گذرواژه بگذارید و برنامهٔ رمز یک‌بارمصرف را وصل کنید.',
    nameLead: 'حروف کوچک انگلیسی و رقم؛ تاریخچهٔ تغییرها شما را به این نام می‌شناسد.',
    passwordLead: 'دست‌کم ۱۲ نویسه',
    app: 'برنامهٔ رمز یک‌بارمصرف',
    appLead: 'این نشانه را با برنامه بخوانید، یا کلید زیر آن را وارد کنید.',
    qr: 'نشانهٔ QR برای برنامهٔ رمز یک‌بارمصرف',
    secret: 'کلید برنامهٔ رمز یک‌بارمصرف',
    submit: 'ساختن',
    recovery: 'کدهای بازیابی',
    recoveryLead:
      'اگر تلفنتان گم شد، هر یک از این کدها یک بار به جای کد برنامه پذیرفته می‌شود. دیگر نشان داده نمی‌شوند.',
    saved: 'نگه داشتم',
  },
  operatorNav: {
    overview: 'نمای کلی',
    live: 'درخواست‌های زنده',
    videoJobs: 'ویدئوها',
    realtime: 'گفت‌وگوهای زنده',
    steps: 'گام‌های نخست',
    accounts: 'حساب‌ها',
    groups: 'گروه‌ها',
    models: 'مدل‌ها',
    priceRules: 'قاعده‌های قیمت',
    proposals: 'پیشنهادهای قیمت',
    vendors: 'تأمین‌کنندگان',
    bills: 'بررسی صورت‌حساب',
    payments: 'پرداخت‌ها',
    verifications: 'احراز هویت',
    codes: 'کدهای شارژ',
    notices: 'اعلان‌ها',
    connections: 'پیامک، درگاه، نامه',
    requests: 'درخواست‌ها',
    settings: 'تنظیمات سرویس',
    trail: 'تاریخچهٔ تغییرها',
    health: 'سلامت',
    operators: 'گردانندگان و کلیدها',
  },
  roles: { viewer: 'بیننده', staff: 'کارمند', owner: 'مالک' },
  ...faOperatorAccounts,
  ...faOperatorService,
  ...faOperatorGroups,
  ...faOperatorLive,
  ...faOperatorDesk,
  errors: {
    link_invalid:
      'این پیوند به کار رفته، یا زمان آن گذشته است. chapar operator link پیوند دیگری می‌سازد.',
    needs_https:
      'ورود به اینجا https می‌خواهد. کنسول را با نشانی https باز کنید، یا CHAPAR_URL (CHAPAR_ADMIN_URL) را تنظیم کنید.',
    operator_name_invalid: 'نام تنها از حروف کوچک انگلیسی، رقم، نقطه و خط تیره است.',
    operator_name_taken: 'این نام از آنِ گرداننده‌ای است یا بوده است.',
    password_short: 'گذرواژه دست‌کم {min, number} نویسه است.',
    password_long: 'گذرواژه دست‌بالا {max, number} نویسه است.',
    setup_code_wrong: 'کد برنامه درست نیست. ساعت تلفنتان را هم ببینید.',
    sign_in_wrong: 'نام، گذرواژه یا کد درست نیست. هر کد یک بار به کار می‌رود.',
    sign_in_codes_guessed:
      'کسی که گذرواژهٔ شما را می‌داند کدها را حدس می‌زند؛ تا یک روز کد برنامه به‌تنهایی پذیرفته نمی‌شود. با گذرکلید یا کد بازیابی وارد شوید و گذرواژه را عوض کنید.',
    password_wrong: 'گذرواژه درست نیست.',
    passkey_unknown: 'این گذرکلید اینجا ثبت نیست. با نام و گذرواژه وارد شوید.',
    passkey_invalid: 'گذرکلید پذیرفته نشد. دوباره امتحان کنید یا با نام و گذرواژه وارد شوید.',
    passkey_cloned:
      'شاید از این گذرکلید نسخه‌ای ساخته شده باشد. با نام و گذرواژه وارد شوید و آن را حذف کنید.',
    sign_in_locked: 'تلاش نادرست زیاد شد. {waitMinutes, number} دقیقهٔ دیگر دوباره امتحان کنید.',
  },
}
export type OperatorTexts = typeof operatorFa
