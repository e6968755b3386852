/** Texts of the page that verifies the holder of an account. */
export const faVerify = {
  verify: {
    title: 'احراز هویت',
    lead: 'یک بار مشخصات صاحب حساب را بنویسید تا سقف خرج پیش از احراز هویت برداشته شود.',
    firstName: 'نام',
    lastName: 'نام خانوادگی',
    nationalCode: 'کد ملی',
    nationalCodeHint: 'ده رقم؛ با رقم‌های فارسی هم می‌شود.',
    birthDate: 'تاریخ تولد',
    day: 'روز',
    month: 'ماه',
    year: 'سال',
    consent:
      'می‌پذیرم که این مشخصات برای احراز هویت بررسی شود. کد ملی رمزشده نگه داشته می‌شود و اگر رد شود پس از ۹۰ روز پاک می‌شود.',
    send: 'فرستادن',
    again: 'دوباره فرستادن',
    done: 'هویت صاحب حساب تأیید شده است.',
    doneLead: 'سقف پیش از احراز هویت برداشته شد.',
    waits: 'بررسی می‌شود',
    waitsLead: 'در {when} فرستادید. نتیجه را در اعلان‌ها می‌گوییم.',
    rejected: 'رد شد',
    reason: 'دلیل: {reason}',
    mismatch: 'این شمارهٔ موبایل به نام این کد ملی نیست.',
    ownerOnly: 'مالک حساب هویت خود را تأیید می‌کند.',
  },
}
