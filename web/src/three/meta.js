// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { ImageLoader, LoaderUtils } from 'three';

const NEW = ['name', 'version', 'authors', 'copyrightInformation', 'contactInformation', 'references', 'thirdPartyLicenses',
  'thumbnailImage', 'licenseUrl', 'avatarPermission', 'allowExcessivelyViolentUsage', 'allowExcessivelySexualUsage', 'commercialUsage',
  'allowPoliticalOrReligiousUsage', 'allowAntisocialOrHateUsage', 'creditNotation', 'allowRedistribution', 'modification',
  'otherLicenseUrl'];
const OLD = ['allowedUserName', 'author', 'commercialUssageName', 'contactInformation', 'licenseName', 'otherLicenseUrl',
  'otherPermissionUrl', 'reference', 'sexualUssageName', 'texture', 'title', 'version', 'violentUssageName'];

const chosen = (names, from, others) => Object.fromEntries(names.map((name) => [name, name in others ? others[name] : from[name]]));

/** Reads the author and the conditions of use from the file. */
export class VRMMetaLoaderPlugin {
  name = 'VRMMetaLoaderPlugin';

  constructor(parser, { needThumbnailImage = false, acceptLicenseUrls = ['https://vrm.dev/licenses/1.0/'], acceptV0Meta = true } = {}) {
    Object.assign(this, { parser, needThumbnailImage, acceptLicenseUrls, acceptV0Meta });
  }

  async afterRoot(gltf) {
    gltf.userData.vrmMeta = await this._import();
  }

  async _import() {
    const { parser } = this;
    const { VRMC_vrm: now, VRM: old } = parser.json.extensions ?? {};
    if (now?.meta) {
      const { meta } = now;
      if (!this.acceptLicenseUrls.includes(meta.licenseUrl)) {
        throw new Error(`VRMMetaLoaderPlugin: the license url "${meta.licenseUrl}" is not accepted`);
      }
      const wanted = this.needThumbnailImage && meta.thumbnailImage !== undefined;
      return { metaVersion: '1', ...chosen(NEW, meta, { thumbnailImage: wanted ? await this.#image(meta.thumbnailImage) : undefined }) };
    }
    if (old?.meta) {
      if (!this.acceptV0Meta) throw new Error('VRMMetaLoaderPlugin: the file has the meta of VRM 0.x, and acceptV0Meta is false');
      const { texture } = old.meta;
      const wanted = this.needThumbnailImage && texture !== undefined && texture !== -1;
      return { metaVersion: '0', ...chosen(OLD, old.meta, { texture: wanted ? await parser.getDependency('texture', texture) : undefined }) };
    }
    return null;
  }

  async #image(index) {
    const { parser } = this;
    const source = parser.json.images?.[index];
    if (!source) {
      console.warn(`VRMMetaLoaderPlugin: the thumbnail is image ${index}, which the file does not have`);
      return undefined;
    }
    const url = source.bufferView === undefined ? LoaderUtils.resolveURL(source.uri, parser.options.path)
      : URL.createObjectURL(new Blob([await parser.getDependency('bufferView', source.bufferView)], { type: source.mimeType }));
    return new ImageLoader().loadAsync(url).catch((error) => {
      console.error('VRMMetaLoaderPlugin: the thumbnail cannot be read', error);
      return undefined;
    });
  }
}
