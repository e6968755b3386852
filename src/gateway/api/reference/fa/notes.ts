/** Persian of what the document says of parameters, answers and fields, but for what a field may be. */
export const notes: Readonly<Record<string, string>> = {
  'only models of this family': 'تنها مدل‌های این نوع',
  'its id; may hold slashes, raw or encoded': 'شناسهٔ آن؛ ممکن است `/` داشته باشد، خام یا کدشده',
  '`1`: only tell what it would cost': '`1`: تنها بگو چقدر هزینه دارد',
  '`en`: messages of errors in English instead of Persian':
    '`en`: پیام خطاها به جای فارسی انگلیسی باشد',
  'The answer; with `X-Dry-Run`, the estimate.': 'پاسخ؛ با `X-Dry-Run` برآورد.',
  'each `data:` line is a chunk': 'هر سطر `data:` یک تکه است',
  '`message_start` … `message_stop`': '`message_start` … `message_stop`',
  '`response.created` … `response.completed`': '`response.created` … `response.completed`',
  'The shorter conversation; with `X-Dry-Run`, the estimate.':
    'گفت‌وگوی کوتاه‌شده؛ با `X-Dry-Run` برآورد.',
  'The text; with `X-Dry-Run`, the estimate.': 'متن؛ با `X-Dry-Run` برآورد.',
  'each `data:` line is a piece': 'هر سطر `data:` یک تکه است',
  'The vectors; with `X-Dry-Run`, the estimate.': 'بردارها؛ با `X-Dry-Run` برآورد.',
  'The results; with `X-Dry-Run`, the estimate.': 'نتیجه‌ها؛ با `X-Dry-Run` برآورد.',
  'The pictures; with `X-Dry-Run`, the estimate.': 'تصویرها؛ با `X-Dry-Run` برآورد.',
  '`image_generation.partial_image`, then `image_generation.completed` with the cost':
    '`image_generation.partial_image`، سپس `image_generation.completed` با هزینه',
  'What was said, in the form asked for; with `X-Dry-Run`, the estimate.':
    'آن‌چه گفته شد، به شکلی که خواسته‌اید؛ با `X-Dry-Run` برآورد.',
  'The audio; with `X-Dry-Run`, the estimate.': 'صدا؛ با `X-Dry-Run` برآورد.',
  'the file, as it is made': 'فایل، همان‌طور که ساخته می‌شود',
  'The piece; with `X-Dry-Run`, the estimate.': 'قطعه؛ با `X-Dry-Run` برآورد.',
  'The job; with `X-Dry-Run`, the estimate.': 'کار؛ با `X-Dry-Run` برآورد.',
  'how many': 'چند تا',
  'only those behind the job of this id': 'تنها آن‌ها که پس از کار با این شناسه‌اند',
  'by age': 'به ترتیب زمان',
  'of the job, beginning with `vid_`': 'شناسهٔ کار، با آغاز `vid_`',
  'of the file; vendors without the other two refuse them':
    'از فایل؛ سازنده‌ای که دو نوع دیگر را ندارد رد می‌کند',
  '`1` has browsers save the file': 'با `1` مرورگر فایل را ذخیره می‌کند',
  'a model whose `capabilities.realtime` is true': 'مدلی که `capabilities.realtime` آن true است',
  '`realtime`, and the key where no header can hold it': '`realtime`، و کلید اگر در سربرگ نگنجد',
  '`1`: only tell what it would hold': '`1`: تنها بگو چقدر کنار گذاشته می‌شود',
  'the first day': 'نخستین روز',
  'the last day': 'آخرین روز',
  '`day` unless told': 'اگر نگویید `day`',
  'the `id` of an answer, which is its `X-Request-Id` too':
    '`id` پاسخ، که همان `X-Request-Id` آن است',
  '`Authorization: Bearer sk-…`': '`Authorization: Bearer sk-…`',
  'the same key, for tools that cannot send `Authorization`':
    'همان کلید، برای ابزارهایی که `Authorization` نمی‌فرستند',
  'where this document came from': 'جایی که این سند از آن آمده',
  'the balance': 'موجودی',
  'for people': 'برای خواندن',
  'set aside by running calls': 'کنار گذاشته‌شده برای درخواست‌های جاری',
  'what can still be set aside': 'آن‌چه هنوز می‌توان کنار گذاشت',
  'the first characters of the key': 'نویسه‌های اول کلید',
  'requests per minute: the lower of what the key and its account may; where neither has a limit, what one client address may':
    'درخواست در دقیقه: کمترین سقف کلید و حساب آن؛ اگر هیچ‌کدام سقفی نداشته باشد، سقف یک نشانی اینترنتی',
  'what the key may spend, or the lowest limit of its project, its account and the day of the service; where there is none, what it has spent and the account still has':
    'سقف خرج کلید، یا کمترین سقف پروژه، حساب و روز سرویس؛ اگر سقفی نباشد، آنچه خرج شده و آنچه حساب هنوز دارد',
  'what it has spent': 'خرج‌شده',
  'when it expires': 'زمان پایان اعتبار',
  'of this key': 'برای همین کلید',
  'what may be spent': 'سقف خرج',
  'what was spent': 'خرج‌شده',
  'neither spent nor set aside by running calls':
    'نه خرج شده و نه برای درخواست‌های جاری کنار گذاشته شده',
  'null: never': '`null`: هیچ‌وقت',
  'when it begins anew': 'زمان آغاز دوباره',
  'of all keys of the project': 'برای همهٔ کلیدهای پروژه',
  'of the whole account': 'برای کل حساب',
  'of the account in all; null once it is verified': 'برای حساب روی هم؛ پس از تأیید هویت `null`',
  'the same as `X-Request-Id`': 'همان `X-Request-Id`',
  'when it was made': 'زمان ساخت',
  'empty in the event before the terminator, which holds `usage`':
    'در رویداد پیش از پایان که `usage` دارد خالی است',
  'what was charged; beside `usage`': 'مبلغ برداشته‌شده؛ کنار `usage`',
  'what answers: an `id` of `GET /v1/models`': 'مدلی که پاسخ می‌دهد: یک `id` از `GET /v1/models`',
  'models to ask in this order where that gives no answer, each at its own price; the first is the model where there is no `model`':
    'مدل‌هایی که اگر آن یکی پاسخ نداد به همین ترتیب پرسیده می‌شوند، هر کدام با قیمت خودش؛ اگر `model` نباشد اولی همان مدل است',
  'system | developer | user | assistant | tool | function':
    '`system`، `developer`، `user`، `assistant`، `tool` یا `function`',
  'the conversation so far; a content is text, or parts of type `text`, `image_url` or `input_audio`':
    'گفت‌وگو تا این‌جا؛ محتوا متن است، یا بخش‌هایی از نوع `text`، `image_url` یا `input_audio`',
  'whether the answer comes in pieces': 'پاسخ تکه‌تکه بیاید',
  'the most the answer may have; lowers what is set aside':
    'حداکثر طول پاسخ؛ مبلغ کنار گذاشته را کم می‌کند',
  'newer name of `max_tokens`': 'نام تازه‌تر `max_tokens`',
  'how many answers': 'شمار پاسخ‌ها',
  'JSON, by a schema if one is given': 'JSON، مطابق طرح (schema) اگر داده شود',
  'functions that the model may call': 'تابع‌هایی که مدل می‌تواند صدا بزند',
  'of models that reason; becomes what the vendor knows':
    'برای مدل‌های استدلالی؛ به آن‌چه سازنده می‌شناسد تبدیل می‌شود',
  'accepted; the vendor is told an identifier of ours instead':
    'پذیرفته می‌شود؛ به جایش شناسه‌ای از خود سرویس به سازنده داده می‌شود',
  'of models that tell it': 'برای مدل‌هایی که آن را می‌گویند',
  'what summarises: an `id` of `GET /v1/models`':
    'مدلی که خلاصه می‌کند: یک `id` از `GET /v1/models`',
  'what the conversation was held under': 'دستوری که گفت‌وگو با آن انجام شد',
  'an earlier answer of the same project, where its vendor keeps it':
    'پاسخ پیشینی از همان پروژه، اگر سازنده نگهش داشته باشد',
  'the conversation so far; may be absent where it goes on from an earlier answer':
    'گفت‌وگو تا این‌جا؛ اگر ادامهٔ پاسخ پیشینی است لازم نیست',
  '`GET /v1/requests/{id}` knows it too': '`GET /v1/requests/{id}` هم آن را می‌شناسد',
  'messages of the user, then an item `compaction`': 'پیام‌های کاربر، سپس یک قلم `compaction`',
  'the most the answer may have; no default of 16': 'حداکثر طول پاسخ؛ پیش‌فرض ۱۶ ندارد',
  'whether the prompt stands before the answer': 'متن پرسش پیش از پاسخ بیاید',
  'models that are asked where it gives no answer': 'مدل‌هایی که اگر این پاسخ نداد پرسیده می‌شوند',
  'its cost': 'هزینهٔ آن',
  'what would be set aside': 'مبلغی که کنار گذاشته می‌شد',
  'what can be set aside now': 'مبلغی که اکنون می‌توان کنار گذاشت',
  'one text or many': 'یک متن یا چند متن',
  'shortens the vectors, of models that can': 'بردارها را کوتاه می‌کند، برای مدل‌هایی که می‌توانند',
  '`float` unless told': 'اگر نگویید `float`',
  'for people; Persian, or English if asked for': 'برای خواندن؛ فارسی، یا انگلیسی اگر خواسته شود',
  'decide on this; null where no code has a name':
    'در برنامه به این تکیه کنید؛ `null` اگر خطا کدی ندارد',
  'the field that is wrong': 'فیلد نادرست',
  'what was charged; in the last event': 'مبلغ برداشته‌شده؛ در آخرین رویداد',
  'what is to be seen': 'آن‌چه باید دیده شود',
  '`<width>x<height>` or `auto`': '`<width>x<height>` یا `auto`',
  'low | medium | high | auto': '`low`، `medium`، `high` یا `auto`',
  'how many; 1 with `stream`': 'شمار؛ با `stream` تنها ۱',
  'whether the picture is shown while it is made, by vendors that do so':
    'تصویر هنگام ساخت نشان داده شود، اگر سازنده چنین می‌کند',
  'how often, before it is done; each costs what it costs':
    'چند بار پیش از پایان؛ هر کدام هزینهٔ خود را دارد',
  'blocks of type text, tool_use, thinking …':
    'بلوک‌هایی از نوع `text`، `tool_use`، `thinking` و …',
  'send this as `model`': 'همین را به عنوان `model` بفرستید',
  'when it was added': 'زمان افزودن',
  'the supply route': 'مسیر تأمین',
  'what the model can do; any other key that is absent does not apply':
    'توانایی‌های مدل؛ کلیدی که نیست صدق نمی‌کند',
  'decimal strings in dollars; the key says per what. Where pictures or seconds have a price for each size or quality, `per_image` or `per_second` is the dearest of them.':
    'رشته‌های ده‌دهی به دلار؛ نام کلید می‌گوید به ازای چه. جایی که تصویر یا ثانیه برای هر اندازه یا کیفیت قیمتی دارد، `per_image` یا `per_second` گران‌ترین آن‌هاست.',
  'what most prices are counted in': 'واحدی که بیشتر قیمت‌ها با آن است',
  'since when these prices hold': 'زمان آغاز این قیمت‌ها',
  'it is a name of these models: the first that can answers, at its own price; the prices here are the dearest of each':
    'نام این مدل‌هاست: نخستین مدلی که بتواند با قیمت خودش پاسخ می‌دهد؛ قیمت‌های این‌جا گران‌ترینِ هر کدام است',
  'models that are asked where it gives no answer, each at its own price':
    'مدل‌هایی که اگر این پاسخ نداد پرسیده می‌شوند، هر کدام با قیمت خودش',
  'prices that are decided and hold later': 'قیمت‌هایی که تصویب شده و بعد آغاز می‌شوند',
  'when they begin': 'زمان آغاز',
  'what is judged': 'آن‌چه داوری می‌شود',
  'category → whether': 'دسته ← آیا',
  'category → how likely, from 0 to 1': 'دسته ← احتمال، از ۰ تا ۱',
  'words that are sung, or a description; may be empty': 'متن ترانه یا توصیف؛ شاید خالی',
  'the whole file': 'کل فایل',
  'of the file': 'از فایل',
  'what is to be heard, 4000 characters at most': 'آن‌چه باید شنیده شود، حداکثر ۴۰۰۰ نویسه',
  'when it came': 'زمان رسیدن',
  'short name of the endpoint': 'نام کوتاه نشانی',
  'counted by us: the vendor did not tell': 'خود سرویس شمرده: سازنده نگفت',
  'what it cost: what was charged, less what was refunded':
    'هزینه: برداشته‌شده منهای برگشت‌داده‌شده',
  'what was refunded, because a video was not made or by the operator':
    'برگشت‌داده‌شده، چون ویدئو ساخته نشد یا گرداننده برگرداند',
  'how the charge came about; null while it runs': 'هزینه چطور حساب شد؛ تا در جریان است `null`',
  'items of type message, function_call, reasoning …':
    'قلم‌هایی از نوع `message`، `function_call`، `reasoning` و …',
  'what is asked: a text, or the conversation so far': 'پرسش: یک متن، یا گفت‌وگو تا این‌جا',
  'how to answer': 'دستور پاسخ',
  'functions that the model may call, or tools of the vendor':
    'تابع‌هایی که مدل می‌تواند صدا بزند، یا ابزارهای سازنده',
  'of models that reason: `effort` becomes what the vendor knows':
    'برای مدل‌های استدلالی: `effort` به آن‌چه سازنده می‌شناسد تبدیل می‌شود',
  'what is to be said, 4096 characters at most': 'آن‌چه باید گفته شود، حداکثر ۴۰۹۶ نویسه',
  'one of the model’s `capabilities.voices`': 'یکی از `capabilities.voices` مدل',
  'tone and manner, for models that take them': 'لحن و شیوه، برای مدل‌هایی که می‌پذیرند',
  '`mp3` unless told otherwise': 'اگر نگویید `mp3`',
  '1 is the voice’s own': '۱ سرعت خود صداست',
  audio: 'صدا',
  'JSON: parse and check it before use': 'JSON: پیش از کاربرد بخوانید و بررسی کنید',
  'at most 25 MB: mp3, mp4, m4a, wav, webm, ogg or flac':
    'حداکثر ۲۵ مگابایت: mp3، mp4، m4a، wav، webm، ogg یا flac',
  'words that are hard to hear: names, terms': 'واژه‌های دشوار: نام‌ها، اصطلاح‌ها',
  '`srt` and `vtt` are subtitles; `verbose_json` has the times too':
    '`srt` و `vtt` زیرنویس‌اند؛ `verbose_json` زمان‌ها را هم دارد',
  'of what is said, such as `fa`': 'زبان گفتار، مانند `fa`',
  'what has times in `verbose_json`; segments unless told':
    'آن‌چه در `verbose_json` زمان دارد؛ اگر نگویید `segment`',
  'events as the text is written; only with `json`, `text` and `diarized_json`':
    'رویداد همراه با نوشته شدن متن؛ تنها با `json`، `text` و `diarized_json`',
  'all of it': 'همه',
  'the day or the model': 'روز یا مدل',
  'what it cost': 'هزینه',
  'its English name': 'نام انگلیسی آن',
  'in seconds': 'به ثانیه',
  'whether its cost was returned': 'هزینه‌اش برگشته است',
  'when it was ordered': 'زمان سفارش',
  'until when its file can be fetched': 'تا کی فایل را می‌توان گرفت',
  'only ever goes forward': 'تنها جلو می‌رود',
  'it was not made, and its cost was returned': 'ساخته نشد و هزینه‌اش برگشت',
  'ask again with `after`: the `last_id`': 'با `after` برابر `last_id` دوباره بپرسید',
  'what is to be seen; at most 4000 characters': 'آن‌چه باید دیده شود؛ حداکثر ۴۰۰۰ نویسه',
  'how long; what a model makes stands in its `capabilities`':
    'طول؛ آن‌چه مدل می‌سازد در `capabilities` آن است',
  'the picture it begins with, for models that take one':
    'تصویری که با آن آغاز می‌شود، برای مدل‌هایی که می‌پذیرند',
}
