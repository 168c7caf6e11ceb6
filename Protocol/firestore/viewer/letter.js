"use strict";

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const SERVICE = "https://firestore.googleapis.com";
const WORDS = {
  en: { gone: "This letter is not here (any more). Letters are kept for a few days only.", later: "The letter could not be fetched. Please try again later." },
  ko: { gone: "이 편지는 여기 없어요. 편지는 며칠 동안만 보관돼요.", later: "편지를 가져오지 못했어요. 잠시 뒤에 다시 시도해 주세요." },
  ja: { gone: "この手紙はここにありません。手紙は数日間だけ保存されます。", later: "手紙を取得できませんでした。しばらくしてからもう一度お試しください。" },
  "zh-Hans": { gone: "这封信已经不在这里了。信件只保留几天。", later: "没能取到这封信，请稍后再试。" },
};

// The letter of an id: {content, language}; {problem: "gone"} if there is none that has not expired, {problem: "later"} if one cannot tell.
async function letterOf(id, project, service = SERVICE, now = Date.now()) {
  if (!ID.test(id)) return { problem: "gone" };
  const path = `/v1/projects/${encodeURIComponent(project)}/databases/(default)/documents/letters/${id}`;
  try {
    const response = await fetch(service + path, { cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" });
    if (response.status === 403 || response.status === 404) return { problem: "gone" };
    if (!response.ok) return { problem: "later" };
    const { fields } = await response.json();
    if (!(Date.parse(fields.expireAt.timestampValue) > now)) return { problem: "gone" };
    return { content: fields.content.stringValue, language: fields.language.stringValue };
  } catch {
    return { problem: "later" };
  }
}

// The words for a reader who prefers these languages.
function wordsFor(languages) {
  for (const language of languages) {
    const found = Object.keys(WORDS).find((known) => language.split("-")[0] === known.split("-")[0]);
    if (found) return { language: found, ...WORDS[found] };
  }
  return { language: "en", ...WORDS.en };
}

async function show(page, project, id, languages) {
  const letter = await letterOf(id, project);
  const place = page.getElementById("letter");
  const words = wordsFor(languages);
  // As text and never as markup: whoever wrote it may have written anything.
  place.textContent = letter.problem ? words[letter.problem] : letter.content;
  place.lang = letter.problem ? words.language : letter.language;
}

if (typeof document === "undefined") module.exports = { letterOf, wordsFor };
else show(document, document.currentScript.dataset.project, location.pathname.split("/").pop(), navigator.languages);
