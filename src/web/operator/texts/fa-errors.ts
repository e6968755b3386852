/** Refusals of the console, by code. */
export const faOperatorErrors = {
  link_invalid:
    'این پیوند به کار رفته، یا زمان آن گذشته است. chapar operator link پیوند دیگری می‌سازد.',
  operator_name_invalid: 'نام تنها از حروف کوچک انگلیسی، رقم، نقطه و خط تیره است.',
  operator_name_taken: 'این نام از آنِ گرداننده‌ای است یا بوده است.',
  password_short: 'گذرواژه دست‌کم {min, number} نویسه است.',
  password_long: 'گذرواژه دست‌بالا {max, number} نویسه است.',
  setup_code_wrong: 'کد برنامه درست نیست. ساعت تلفنتان را هم ببینید.',
  sign_in_wrong: 'نام، گذرواژه یا کد درست نیست. هر کد یک بار به کار می‌رود.',
  sign_in_locked: 'تلاش نادرست زیاد شد. {waitMinutes, number} دقیقهٔ دیگر دوباره امتحان کنید.',
  role_too_low: 'این کار نقش «{needed}» می‌خواهد؛ نقش شما «{role}» است.',
  input_invalid: '{field}: {rule}',
}
