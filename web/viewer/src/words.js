// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Everything that the page says, in English and Japanese.

const WORDS = {
  en: {
    title: 'VRM viewer',
    open: 'Open a file…',
    hint: 'Drop a .vrm here, or open one. It stays on this machine: the page sends nothing.',
    canvas: 'The avatar {name}. Arrow keys turn, + and − zoom, Page Up and Page Down move, Home goes back.',
    canvasEmpty: 'No avatar yet',
    loading: 'Reading {name}…',
    loaded: '{name} is shown.',
    motion: '{name} plays.',
    failed: '{name} cannot be opened: {why}',
    kept: 'The last avatar stays.',
    needsAvatar: '{name} is a motion: open an avatar first.',
    noWebGL: 'This browser has no WebGL 2, which the viewer draws with.',
    lost: 'The graphics driver was reset; the picture comes back by itself.',
    conditions: 'Conditions of use',
    conditionsLead: 'Its author allows this:',
    show: 'Show the avatar',
    cancel: 'Cancel',
    language: '日本語',
    expressions: 'Expressions', none: 'There are none.', resetFace: 'Neutral face',
    pose: 'Pose and motion', poseRelaxed: 'Arms down', poseT: 'T-pose', poseLabel: 'Rest pose',
    stop: 'Stop the motion', motionHint: 'Drop a .vrma, .bvh or .glb to play it.',
    gaze: 'Gaze', gazePointer: 'The eyes follow the pointer',
    springs: 'Hair and clothes', wind: 'Wind', springLines: 'Show spring bones', paused: 'Pause everything', resetSprings: 'Reset',
    blink: 'Blink by itself',
    report: 'Validation', reportClean: 'Nothing was found.', reportBusy: 'Checking…',
    statistics: 'Statistics', screenshot: 'Save a picture',
    error: 'Error', warning: 'Warning', info: 'Note', hint_: 'Hint',
    file: 'File', size: 'Size', dialect: 'Version', triangles: 'Triangles', vertices: 'Vertices', primitives: 'Draw calls',
    textures: 'Textures', nodes: 'Nodes', springJoints: 'Spring joints', height: 'Height', loadTime: 'Loaded in',
    camera: 'Camera (vrm render -c)', updateTime: 'Update', frameRate: 'Frames per second',
    name: 'Name', version: 'Version', authors: 'By', contact: 'Contact', references: 'References', copyright: 'Copyright',
    license: 'License', otherLicense: 'Other license', thirdParty: 'Third-party licenses',
    avatarPermission: 'Who may perform as it', commercialUsage: 'Commercial use', violent: 'Violent content', sexual: 'Sexual content',
    political: 'Political or religious content', antisocial: 'Antisocial or hateful content', credit: 'Credit',
    redistribution: 'Redistribution', modification: 'Changes',
    allowed: 'allowed', forbidden: 'not allowed', required: 'required', unnecessary: 'not needed',
    onlyAuthor: 'the author alone', onlySeparatelyLicensedPerson: 'who has a licence of their own', everyone: 'everyone',
    personalNonProfit: 'for persons, without profit', personalProfit: 'for persons, with profit', corporation: 'for companies too',
    prohibited: 'not allowed', allowModification: 'allowed, not passed on', allowModificationRedistribution: 'allowed, and may be passed on',
    unstated: 'the file does not say',
  },
  ja: {
    title: 'VRM ビューア',
    open: 'ファイルを開く…',
    hint: '.vrm をここにドロップするか、開いてください。ファイルはこの端末から送信されません。',
    canvas: 'アバター {name}。矢印キーで回転、+ と − で拡大縮小、Page Up と Page Down で移動、Home で元に戻ります。',
    canvasEmpty: 'アバターはまだありません',
    loading: '{name} を読み込んでいます…',
    loaded: '{name} を表示しています。',
    motion: '{name} を再生しています。',
    failed: '{name} を開けません: {why}',
    kept: '前のアバターはそのままです。',
    needsAvatar: '{name} はモーションです。先にアバターを開いてください。',
    noWebGL: 'このブラウザには、描画に必要な WebGL 2 がありません。',
    lost: 'グラフィックスがリセットされました。表示は自動的に戻ります。',
    conditions: '利用条件',
    conditionsLead: '作者が認めている利用条件:',
    show: 'アバターを表示',
    cancel: 'キャンセル',
    language: 'English',
    expressions: '表情', none: 'ありません。', resetFace: '表情を戻す',
    pose: 'ポーズとモーション', poseRelaxed: '腕を下ろす', poseT: 'T ポーズ', poseLabel: '基本ポーズ',
    stop: 'モーションを止める', motionHint: '.vrma、.bvh、.glb をドロップすると再生します。',
    gaze: '視線', gazePointer: '目がポインタを追う',
    springs: '髪と服の揺れ', wind: '風', springLines: 'スプリングボーンを表示', paused: '一時停止', resetSprings: 'リセット',
    blink: '自動まばたき',
    report: '検証', reportClean: '問題はありません。', reportBusy: '検証しています…',
    statistics: '統計', screenshot: '画像を保存',
    error: 'エラー', warning: '警告', info: '情報', hint_: 'ヒント',
    file: 'ファイル', size: 'サイズ', dialect: 'バージョン', triangles: '三角形', vertices: '頂点', primitives: '描画回数',
    textures: 'テクスチャ', nodes: 'ノード', springJoints: '揺れる関節', height: '身長', loadTime: '読み込み時間',
    camera: 'カメラ (vrm render -c)', updateTime: '更新', frameRate: '毎秒フレーム数',
    name: '名前', version: '版', authors: '作者', contact: '連絡先', references: '参照', copyright: '著作権',
    license: 'ライセンス', otherLicense: 'その他のライセンス', thirdParty: '第三者のライセンス',
    avatarPermission: 'アバターとして使える人', commercialUsage: '商用利用', violent: '暴力表現', sexual: '性的表現',
    political: '政治・宗教目的', antisocial: '反社会的・憎悪表現', credit: 'クレジット表記',
    redistribution: '再配布', modification: '改変',
    allowed: '許可', forbidden: '不許可', required: '必要', unnecessary: '不要',
    onlyAuthor: '作者のみ', onlySeparatelyLicensedPerson: '個別に許可された人', everyone: '誰でも',
    personalNonProfit: '個人の非営利', personalProfit: '個人の営利', corporation: '法人も可',
    prohibited: '不許可', allowModification: '可（再配布は不可）', allowModificationRedistribution: '可（再配布も可）',
    unstated: 'ファイルに記載なし',
  },
};

let language = navigator.language?.startsWith('ja') ? 'ja' : 'en';

export const currentLanguage = () => language;

/** A sentence, with its {places} filled in. */
export function say(key, places = {}) {
  return (WORDS[language][key] ?? key).replace(/\{(\w+)\}/g, (_, place) => places[place] ?? '');
}

/** Writes all texts of the page anew: elements with data-say, and data-say-label for screen readers. */
export function speak(to = language) {
  language = to;
  document.documentElement.lang = to;
  document.title = say('title');
  for (const element of document.querySelectorAll('[data-say]')) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll('[data-say-label]')) element.setAttribute('aria-label', say(element.dataset.sayLabel));
}
