/** Refusals of the operators’ sign-in, by code; those of operations come with their text. */
export const faOperatorErrors = {
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
}
