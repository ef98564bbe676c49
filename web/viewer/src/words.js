// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// All texts of the page, in English and Japanese.

const WORDS = {
  en: {
    title: 'VRM viewer',
    open: 'Open a file…',
    panel: 'Controls',
    hint: 'Drop a .vrm file here, or open one. It stays on this machine: the page sends nothing.',
    canvas: 'The avatar {name}',
    canvasEmpty: 'No avatar yet',
    loading: 'Reading {name}…',
    loaded: '{name} is shown.',
    motionPlays: '{name} plays.',
    resetDone: 'Everything is back at the start.',
    failed: '{name} cannot be opened: {why}',
    kept: 'The last avatar is still shown.',
    needsAvatar: 'this is a motion; open an avatar first.',
    found: 'Found: {found}.', expected: 'Expected: {expected}.', place: 'Place: {path}.', others: 'And {count} more.',
    unknownKind: 'expected one of .vrm, .glb, .gltf, .vrma and .bvh.',
    unreadable: 'the browser cannot read it. A folder cannot be opened; choose the files in it.',
    noFile: 'No file was dropped.',
    noWebGL: 'This browser has no WebGL 2, which the viewer needs for drawing.',
    lost: 'The graphics driver was reset; the picture comes back by itself.',
    conditions: 'Model Data Conditions of Use',
    conditionsLead: 'Conditions of use set by the author:',
    show: 'Show the avatar',
    cancel: 'Cancel',
    language: '日本語',
    expressions: 'Face', none: 'This avatar has no expressions.', resetFace: 'Neutral face',
    motion: 'Motion', motionHint: 'Drop a .vrma, .bvh or .glb file to play it.',
    'motion.still': 'Stand still', 'motion.idle': 'Idle', 'motion.walk': 'Walk', 'motion.run': 'Run', 'motion.wave': 'Wave',
    'motion.bow': 'Bow', 'motion.sitDown': 'Sit down', 'motion.standUp': 'Stand up',
    poseRelaxed: 'Arms down', poseT: 'T-pose', poseLabel: 'While it stands still',
    gazePointer: 'The eyes follow the pointer',
    springs: 'Hair and clothes', wind: 'Wind', springLines: 'Show spring bones', paused: 'Pause', resetSprings: 'Reset hair and clothes',
    blink: 'Blink by itself',
    body: 'Body', hand: 'The pointer', handCamera: 'turns the camera', handPush: 'pushes', handDrag: 'drags',
    strength: 'Strength (N s)', push: 'Push', drop: 'Drop', explode: 'Explode', getUp: 'Get up', stopBody: 'End at once',
    steps: 'Steps to keep its balance', protects: 'Protects itself in a fall', bodies: 'Show the bodies',
    noBody: 'A body needs WebAssembly SIMD, which this browser does not have.',
    failedBody: 'This avatar cannot have a body: {why}',
    phase: 'Now:', 'phase.off': 'animated', 'phase.active': 'reacts', 'phase.limp': 'falls', 'phase.lying': 'lies',
    'phase.recovering': 'gets up', 'phase.blending': 'returns to its motion',
    ground: 'Show the ground', reset: 'Start again',
    keys: 'Keys and pointer',
    keysText: 'On the picture: drag turns, right button or Shift moves, wheel zooms; two fingers zoom and move. Alt or Ctrl and a click push'
      + ' the body part under the pointer; with Shift as well, they drag it. Arrow keys turn, + and − zoom, Page Up and Page Down move, Home goes back;'
      + ' P pushes, D drops, E explodes, G gets up, Space pauses, a full stop shows one frame, S saves a picture, R starts again.',
    report: 'Validation', reportClean: 'No problems were found.', reportBusy: 'Checking…',
    statistics: 'Statistics', screenshot: 'Save a picture',
    'severity.error': 'Error', 'severity.warning': 'Warning', 'severity.info': 'Note', 'severity.hint': 'Hint',
    file: 'File', size: 'Size', dialect: 'Version', triangles: 'Triangles', vertices: 'Vertices', primitives: 'Draw calls',
    textures: 'Textures', nodes: 'Nodes', springJoints: 'Spring joints', height: 'Height', loadTime: 'Loaded in',
    camera: 'Camera (vrm render -c)', updateTime: 'Update', frameRate: 'Frames per second',
    name: 'Name', version: 'Version', authors: 'By', contact: 'Contact', references: 'References', copyright: 'Copyright',
    license: 'License', otherLicense: 'Other license', thirdParty: 'Third-party licenses',
    avatarPermission: 'Who may use it as an avatar', commercialUsage: 'Commercial use', violent: 'Violent content', sexual: 'Sexual content',
    political: 'Political or religious content', antisocial: 'Antisocial or hateful content', credit: 'Credit',
    redistribution: 'Redistribution', modification: 'Changes',
    allowed: 'allowed', forbidden: 'not allowed', required: 'required', unnecessary: 'not needed',
    onlyAuthor: 'only the author', onlySeparatelyLicensedPerson: 'people with a separate licence', everyone: 'everyone',
    personalNonProfit: 'for individuals, non-profit', personalProfit: 'for individuals, for profit', corporation: 'for companies too',
    prohibited: 'not allowed', allowModification: 'allowed, without redistribution', allowModificationRedistribution: 'allowed, with redistribution',
    unstated: 'not stated in the file',
  },
  ja: {
    title: 'VRM ビューア',
    open: 'ファイルを開く…',
    panel: '操作パネル',
    hint: '.vrm ファイルをここにドロップするか、開いてください。ファイルはこの端末から送信されません。',
    canvas: 'アバター {name}',
    canvasEmpty: 'アバターはまだありません',
    loading: '{name} を読み込んでいます…',
    loaded: '{name} を表示しています。',
    motionPlays: '{name} を再生しています。',
    resetDone: '最初の状態に戻しました。',
    failed: '{name} を開けません: {why}',
    kept: '前のアバターはそのままです。',
    needsAvatar: 'モーションです。先にアバターを開いてください。',
    found: '実際: {found}。', expected: '期待: {expected}。', place: '場所: {path}。', others: 'ほか {count} 件。',
    unknownKind: '.vrm、.glb、.gltf、.vrma、.bvh のいずれでもありません。',
    unreadable: 'ブラウザが読み込めません。フォルダは開けないので、中のファイルを選んでください。',
    noFile: 'ドロップされたものにファイルがありません。',
    noWebGL: 'このブラウザには、描画に必要な WebGL 2 がありません。',
    lost: 'グラフィックスがリセットされました。表示は自動的に戻ります。',
    conditions: 'モデルデータの利用条件',
    conditionsLead: '作者が定めた利用条件です。',
    show: 'アバターを表示',
    cancel: 'キャンセル',
    language: 'English',
    expressions: '表情', none: '表情はありません。', resetFace: '表情を戻す',
    'expression.happy': '喜び', 'expression.angry': '怒り', 'expression.sad': '悲しみ', 'expression.relaxed': 'リラックス',
    'expression.surprised': '驚き', 'expression.aa': 'あ', 'expression.ih': 'い', 'expression.ou': 'う', 'expression.ee': 'え',
    'expression.oh': 'お', 'expression.blink': 'まばたき', 'expression.blinkLeft': '左まばたき', 'expression.blinkRight': '右まばたき',
    'expression.lookUp': '視線 上', 'expression.lookDown': '視線 下', 'expression.lookLeft': '視線 左', 'expression.lookRight': '視線 右',
    'expression.neutral': '無表情',
    motion: 'モーション', motionHint: '.vrma、.bvh、.glb ファイルをドロップすると再生します。',
    'motion.still': '静止', 'motion.idle': '待機', 'motion.walk': '歩く', 'motion.run': '走る', 'motion.wave': '手を振る',
    'motion.bow': 'お辞儀', 'motion.sitDown': '座る', 'motion.standUp': '立ち上がる',
    poseRelaxed: '腕を下ろす', poseT: 'T ポーズ', poseLabel: '静止中のポーズ',
    gazePointer: '目がポインタを追う',
    springs: '髪と服の揺れ', wind: '風', springLines: 'スプリングボーンを表示', paused: '一時停止', resetSprings: '揺れをリセット',
    blink: '自動まばたき',
    body: 'からだ', hand: 'ポインタの操作', handCamera: 'カメラを回す', handPush: '押す', handDrag: '引っぱる',
    strength: '強さ (N s)', push: '押す', drop: '倒す', explode: '爆発', getUp: '起き上がる', stopBody: 'すぐに戻す',
    steps: '足を踏み出してこらえる', protects: '受け身をとる', bodies: '物理ボディを表示',
    noBody: 'このブラウザには WebAssembly SIMD がないため、からだの物理は使えません。',
    failedBody: 'このアバターにはからだの物理を使えません: {why}',
    phase: '状態:', 'phase.off': 'アニメーション', 'phase.active': '反応中', 'phase.limp': '転倒中', 'phase.lying': '倒れている',
    'phase.recovering': '起き上がり中', 'phase.blending': 'モーションへ復帰中',
    ground: '地面を表示', reset: '最初に戻す',
    keys: 'キーとポインタ',
    keysText: '画面上で: ドラッグで回転、右ボタンか Shift で移動、ホイールで拡大縮小。2 本指で拡大縮小と移動。Alt か Ctrl とクリックで押し、'
      + 'Shift も加えると引っぱります。矢印キーで回転、+ と − で拡大縮小、Page Up と Page Down で移動、Home で元に戻ります。'
      + 'P 押す、D 倒す、E 爆発、G 起き上がる、Space 一時停止、ピリオドでコマ送り、S 画像を保存、R 最初に戻す。',
    report: '検証', reportClean: '問題はありません。', reportBusy: '検証しています…',
    statistics: '統計', screenshot: '画像を保存',
    'severity.error': 'エラー', 'severity.warning': '警告', 'severity.info': '情報', 'severity.hint': 'ヒント',
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

/** Returns the text of a key, with its {places} filled in; `otherwise` if there is none. */
export function say(key, places = {}, otherwise = key) {
  return (WORDS[language][key] ?? otherwise).replace(/\{(\w+)\}/g, (_, place) => places[place] ?? '');
}

/** Writes all texts of the page again: those of elements with data-say, and with data-say-label for screen readers. */
export function speak(to = language) {
  language = to;
  document.documentElement.lang = to;
  document.title = say('title');
  for (const element of document.querySelectorAll('[data-say]')) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll('[data-say-label]')) element.setAttribute('aria-label', say(element.dataset.sayLabel));
}
