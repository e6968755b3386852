import { knownSourceNames } from '../../../gateway/settings/price-settings'
import { isolated, persian } from '../../../errors/bidi-isolates'
import type { InputFault, LimitRule, WantedType } from './input-fault'
import type { TextForm } from './text-forms'

const types: Readonly<Record<WantedType, string>> = {
  text: 'متن',
  whole_number: 'عدد صحیح',
  number: 'عدد',
  truth: 'بله یا نه (true یا false)',
  list: 'فهرست',
  object: 'شیء',
}

const forms: Readonly<Record<TextForm, string>> = {
  name: 'چیزی خواندنی در یک سطر',
  not_blank: 'چیزی خواندنی',
  usd: 'مبلغی به دلار از صفر به بالا، مانند 12.50',
  signed_usd: 'مبلغی به دلار، مانند 12.50 یا \u2066-3\u2069',
  fee: 'مبلغی به دلار از صفر به بالا، مانند 0.002',
  instant: 'زمانی به وقت UTC، مانند 2030-01-01T00:00:00Z',
  day: 'روزی میلادی، مانند \u20662026-01-31\u2069',
  month: 'ماهی میلادی، مانند \u20662026-01\u2069',
  tolerance: 'درصدی از ۰ تا ۱۰۰، مانند 0.5',
  place: 'جایی که صفحهٔ پیش به آن رسید',
  notice: 'شناسهٔ اعلان: ntc_ و ۳۲ رقم',
  vendor_key: 'کلید: نویسه‌های پیدای ASCII بی فاصله',
  cents: 'مبلغی به دلار با دست‌بالا دو رقم اعشار، مانند 12.50',
  payment: 'شناسهٔ پرداخت: pay_ و ۳۲ رقم',
  session: 'شناسهٔ نشست: ۱۶ رقم',
  base64url: 'حروف انگلیسی، رقم، \u2066-\u2069 و \u2066_\u2069',
  page: 'صفحه‌ای از برنامهٔ وب، مانند \u2066/keys\u2069',
  percent: 'درصدی بالای منفی ۱۰۰، مانند 12.5',
  price: 'قیمتی به دلار از صفر به بالا، مانند 2.50',
  coins: 'تومانی بیش از صفر',
  time_zone: 'منطقهٔ زمانی، مانند Europe/Berlin',
  email: 'نشانی ایمیل',
  mobile: 'شمارهٔ موبایل ایران',
  model_pattern: 'شناسهٔ مدل، یا الگویی مانند openai/*',
  bill_columns: 'نام ستون‌ها با آنچه دارند، مانند day=Date,model=Model,amount=Cost',
  bill_files: 'برای هر پرونده جز آخری NAME:BYTES',
  price_source: `${knownSourceNames}، نشانی https یا پرونده`,
  group_name: 'نامی که نه عدد باشد و نه none',
  capability: 'true یا false، و برای گزینه‌ها فهرستی مانند a,b,c',
}

/** A count in Persian digits. */
export const figure = (count: number): string => count.toLocaleString('fa')

const limits: Readonly<Record<LimitRule, (limit: number) => string>> = {
  too_short: (limit) =>
    limit === 1 ? 'نباید خالی باشد' : persian`دست‌کم ${figure(limit)} نویسه است`,
  too_long: (limit) => persian`دست‌بالا ${figure(limit)} نویسه است`,
  too_small: (limit) => persian`دست‌کم ${figure(limit)} است`,
  not_above: (limit) => persian`بیش از ${figure(limit)} است`,
  too_large: (limit) => persian`دست‌بالا ${figure(limit)} است`,
  too_few: (limit) => persian`دست‌کم ${figure(limit)} تا لازم است`,
  too_many: (limit) => persian`دست‌بالا ${figure(limit)} تا پذیرفته می‌شود`,
  too_many_days: (limit) => persian`از ۱ تا ${figure(limit)} روز است`,
}

/** Names as a list in a Persian sentence. */
export const namesFa = (names: readonly string[]): string => names.map(isolated).join('، ')

/** Persian text of why a field is refused; the name of the field stands before it. */
export function inputFa(fault: InputFault): string {
  switch (fault.rule) {
    case 'required':
      return 'لازم است'
    case 'unknown_field':
      return 'چنین فیلدی نیست'
    case 'not_empty':
      return 'باید خالی باشد'
    case 'nothing':
      return 'نباید صفر باشد'
    case 'above_balance':
      return 'از آنچه در یک حساب جا می‌گیرد بیشتر است'
    case 'wrong_type':
      return persian`باید چنین باشد: ${fault.wanted.map((each) => types[each]).join(' یا ')}`
    case 'not_one_of':
      return persian`باید یکی از این‌ها باشد: ${namesFa(fault.choices)}`
    case 'bad_form':
      return persian`باید چنین باشد: ${forms[fault.form]}`
    case 'one_of_fields':
      return persian`درست یکی از این‌ها لازم است: ${namesFa(fault.fields)}`
    case 'not_beside':
      return persian`همراه این‌ها نمی‌آید: ${namesFa(fault.fields)}`
    case 'later_than':
      return persian`نباید پس از این باشد: ${namesFa(fault.fields)}`
    default:
      return limits[fault.rule](fault.limit)
  }
}
