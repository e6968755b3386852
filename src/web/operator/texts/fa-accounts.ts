/** Texts of accounts, as operators see them. */
export const faOperatorAccounts = {
  accounts: {
    title: 'حساب‌ها',
    lead: 'جست‌وجو با نام، شماره، موبایل یا آغاز کلید.',
    add: 'حساب تازه',
    search: 'جست‌وجو',
    searchHint: 'نام، شماره، ۰۹۱۲… یا sk-…',
    all: 'همه',
    active: 'باز',
    suspended: 'بسته',
    verified: 'احرازشده',
    unverified: 'احرازنشده',
    none: 'حسابی پیدا نشد',
    noneLead: 'جست‌وجو را عوض کنید، یا حساب تازه‌ای بسازید.',
    name: 'نام حساب',
    verifiedLead: 'هویت صاحب حساب احراز شده است',
    cancel: 'انصراف',
    make: 'ساختن حساب',
  },
}
