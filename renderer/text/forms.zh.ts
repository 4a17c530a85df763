import type { formsEn } from './forms.en.ts';
import { settingsZh } from './settings.zh.ts';
import type { Translation } from './translation.ts';

export const formsZh: Translation<typeof formsEn> = {
  settings: settingsZh,

  newSession: '新建会话',
  folder: '文件夹',
  folderMeans: '此会话只在这一个文件夹中工作。',
  folderExample: '/home/me/project',
  chooseFolder: '选择文件夹…',
  recent: '用过的文件夹',
  preset: '预设',
  presetMeans: '代理可以写到哪里，以及能否请求更多权限。随时可以切换。',
  presetGone: (name) => `默认预设“${name}”已不存在，改用权限最小的预设。`,
  agent: '代理',
  agents: {
    demo: '离线演示',
    demoMeans: '随 Gatehouse 附带的脚本。不需要模型、密钥或网络；它使用的工具是真实的。',
    script: '脚本文件',
    scriptMeans: '由文件代替模型给出回答。它与其他代理的参与方式相同。',
  },
  scriptPath: '脚本路径',
  scriptExample: '/home/me/script.json',
  noModels: '此版本不能连接端点上的模型，也不能连接本机安装的代理。',
  title: '标题',
  titleMeans: '可不填。',
  create: '创建会话',
  creating: '正在创建…',
  lacks: {
    folder: '请填写会话要使用的文件夹。',
    absolute: '请填写以 / 或 ~ 开头的完整路径。',
    script: '请填写脚本文件的路径。',
  },
  refused: {
    title: '使用此文件夹需要您明确同意。',
    codes: {
      root: '这是整个文件系统：有写入权限的代理可以更改本机的任何文件。',
      home: '这是您的主目录或其上级目录：您的一切都会成为它的工作区。',
      data: '其中包含 Gatehouse 自己的数据，或它位于这些数据之中。',
    },
    agree: '我知道，仍要使用此文件夹',
  },

  home: '会话',
  homeEmpty: '还没有会话。',
  homeEmptyMeans:
    '会话是与一个代理就一个文件夹进行的对话。Gatehouse 随时说明它可以写到哪里、由谁允许、以及它还有什么在运行。',
  latest: '最近使用',
  startDemo: '开始演示',
  startDemoNow: '立即开始演示',
  starting: '正在启动…',
  demoMeans: '演示需要两分钟，不需要模型、密钥或网络。它在自己的文件夹中工作。',

  welcome: {
    place: '入门步骤',
    step: (at, of) => `第 ${at} 步，共 ${of} 步`,
    steps: { machine: '本机能做什么', agent: '由谁工作', start: '在哪里，权限多大' },
    next: '下一步',
    skip: '跳过',
    machine: 'Gatehouse 刚刚进行了实际尝试，结果如下。',
    unfit: '在修复之前，任何受隔离的内容都不会运行。您可以继续查看，稍后在设置中重新检查。',
    agent: '由代理提出操作；对每个代理来说，工具、沙箱以及向您提出的问题都相同。',
    demoStart:
      '无需填写。演示会在 Gatehouse 数据文件夹旁建立自己的文件夹，以“可写工作区”开始，并在每一步说明您可以做什么。',
    demoStory: [
      '它在自己的文件夹中写入，在文件夹之外则被阻止。',
      '它请求一次例外，由您允许或拒绝。',
      '在长程序运行时切换预设，并观察它如何被结束。',
    ],
    start: '开始会话',
  },
};
