/** Texts of the service itself: trail, settings, health, operators. */
export const faOperatorService = {
  trail: {
    title: 'تاریخچهٔ تغییرها',
    lead: 'هر تغییر را چه کسی و کی انجام داد؛ پیش از آن و پس از آن.',
    subject: 'چه چیزی',
    who: 'چه کسی',
    none: 'تغییری نیست',
    noneLead: 'با این جست‌وجو تغییری ثبت نشده است.',
    undo: 'برگرداندن',
    undoTitle: 'برگرداندن تغییر',
    undoLead: 'مقدارها به پیش از این تغییر برمی‌گردند و این هم در تاریخچه می‌ماند.',
    was: 'پیش از این',
    is: 'اکنون',
  },
}
