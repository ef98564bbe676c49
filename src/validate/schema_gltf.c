// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/schema_words.h"

// glTF 2.0, by its JSON schemas. Enumerated numbers (modes, filters, targets) are checked as numbers.

#define NAMED \
    { \
        "name", STRING \
    }

static const vrmi_schema asset = {.name = "asset",
    .rules = (const vrmi_schema_rule[]){
        {"copyright", STRING}, {"generator", STRING}, {"version", STRING, REQUIRED}, {"minVersion", STRING}, END}};

static const vrmi_schema sparse_indices = {.name = "sparse_indices",
    .rules = (const vrmi_schema_rule[]){{"bufferView", INDEX(VRM_GLTF_BUFFER_VIEWS), REQUIRED},
        {"byteOffset", INTEGER, FROM(0)}, {"componentType", INTEGER, REQUIRED}, END}};
static const vrmi_schema sparse_values = {.name = "sparse_values",
    .rules = (const vrmi_schema_rule[]){
        {"bufferView", INDEX(VRM_GLTF_BUFFER_VIEWS), REQUIRED}, {"byteOffset", INTEGER, FROM(0)}, END}};
static const vrmi_schema sparse = {.name = "sparse",
    .rules = (const vrmi_schema_rule[]){{"count", INTEGER, FROM(1), REQUIRED},
        {"indices", OBJECT(sparse_indices), REQUIRED}, {"values", OBJECT(sparse_values), REQUIRED}, END}};
static const vrmi_schema accessor = {.name = "accessor",
    .rules = (const vrmi_schema_rule[]){NAMED, {"bufferView", INDEX(VRM_GLTF_BUFFER_VIEWS)},
        {"byteOffset", INTEGER, FROM(0), NEEDS("bufferView")}, {"componentType", INTEGER, REQUIRED},
        {"normalized", BOOL}, {"count", INTEGER, FROM(1), REQUIRED}, {"type", STRING, REQUIRED},
        {"max", NUMBER, ANY_LIST, .min_items = 1, .max_items = 16},
        {"min", NUMBER, ANY_LIST, .min_items = 1, .max_items = 16}, {"sparse", OBJECT(sparse)}, END}};

static const vrmi_schema animation_target = {.name = "animation_target",
    .rules = (const vrmi_schema_rule[]){
        {"node", INDEX(VRM_GLTF_NODES)}, {"path", WORDS("translation rotation scale weights pointer"), REQUIRED}, END}};
static const vrmi_schema animation_channel = {.name = "animation_channel",
    .rules = (const vrmi_schema_rule[]){
        {"sampler", OTHER_INDEX, REQUIRED}, {"target", OBJECT(animation_target), REQUIRED}, END}};
static const vrmi_schema animation_sampler = {.name = "animation_sampler",
    .rules = (const vrmi_schema_rule[]){{"input", INDEX(VRM_GLTF_ACCESSORS), REQUIRED},
        {"interpolation", WORDS("LINEAR STEP CUBICSPLINE")}, {"output", INDEX(VRM_GLTF_ACCESSORS), REQUIRED}, END}};
static const vrmi_schema animation = {.name = "animation",
    .rules = (const vrmi_schema_rule[]){NAMED, {"channels", OBJECT(animation_channel), LIST, REQUIRED},
        {"samplers", OBJECT(animation_sampler), LIST, REQUIRED}, END}};

static const vrmi_schema buffer = {.name = "buffer",
    .rules = (const vrmi_schema_rule[]){NAMED, {"uri", STRING}, {"byteLength", INTEGER, FROM(1), REQUIRED}, END}};
static const vrmi_schema buffer_view = {.name = "bufferView",
    .rules = (const vrmi_schema_rule[]){NAMED, {"buffer", INDEX(VRM_GLTF_BUFFERS), REQUIRED},
        {"byteOffset", INTEGER, FROM(0)}, {"byteLength", INTEGER, FROM(1), REQUIRED},
        {"byteStride", INTEGER, FROM(4), TO(252)}, {"target", INTEGER}, END}};

static const vrmi_schema orthographic = {.name = "orthographic_camera",
    .rules = (const vrmi_schema_rule[]){{"xmag", NUMBER, REQUIRED}, {"ymag", NUMBER, REQUIRED},
        {"zfar", NUMBER, ABOVE(0), REQUIRED}, {"znear", NUMBER, FROM(0), REQUIRED}, END}};
static const vrmi_schema perspective = {.name = "perspective_camera",
    .rules = (const vrmi_schema_rule[]){{"aspectRatio", NUMBER, ABOVE(0)}, {"yfov", NUMBER, ABOVE(0), REQUIRED},
        {"zfar", NUMBER, ABOVE(0)}, {"znear", NUMBER, ABOVE(0), REQUIRED}, END}};
static const vrmi_schema camera = {.name = "camera",
    .one_of = "orthographic perspective",
    .rules = (const vrmi_schema_rule[]){NAMED, {"orthographic", OBJECT(orthographic)},
        {"perspective", OBJECT(perspective)}, {"type", WORDS("orthographic perspective"), REQUIRED}, END}};

static const vrmi_schema image = {.name = "image",
    .one_of = "uri bufferView",
    .rules = (const vrmi_schema_rule[]){NAMED, {"uri", STRING}, {"mimeType", STRING},
        {"bufferView", INDEX(VRM_GLTF_BUFFER_VIEWS), NEEDS("mimeType")}, END}};

const vrmi_schema vrmi_schema_texture_info = {.name = "textureInfo",
    .rules =
        (const vrmi_schema_rule[]){{"index", INDEX(VRM_GLTF_TEXTURES), REQUIRED}, {"texCoord", INTEGER, FROM(0)}, END}};
static const vrmi_schema normal_texture = {.name = "textureInfo",
    .rules = (const vrmi_schema_rule[]){
        {"index", INDEX(VRM_GLTF_TEXTURES), REQUIRED}, {"texCoord", INTEGER, FROM(0)}, {"scale", NUMBER}, END}};
static const vrmi_schema occlusion_texture = {.name = "textureInfo",
    .rules = (const vrmi_schema_rule[]){{"index", INDEX(VRM_GLTF_TEXTURES), REQUIRED}, {"texCoord", INTEGER, FROM(0)},
        {"strength", NUMBER, FROM(0), TO(1)}, END}};
static const vrmi_schema metallic_roughness = {.name = "pbrMetallicRoughness",
    .rules = (const vrmi_schema_rule[]){{"baseColorFactor", VECTOR(4), FROM(0), TO(1)},
        {"baseColorTexture", OBJECT(vrmi_schema_texture_info)}, {"metallicFactor", NUMBER, FROM(0), TO(1)},
        {"roughnessFactor", NUMBER, FROM(0), TO(1)}, {"metallicRoughnessTexture", OBJECT(vrmi_schema_texture_info)},
        END}};
static const vrmi_schema material = {.name = "material",
    .rules = (const vrmi_schema_rule[]){NAMED, {"pbrMetallicRoughness", OBJECT(metallic_roughness)},
        {"normalTexture", OBJECT(normal_texture)}, {"occlusionTexture", OBJECT(occlusion_texture)},
        {"emissiveTexture", OBJECT(vrmi_schema_texture_info)}, {"emissiveFactor", VECTOR(3), FROM(0), TO(1)},
        {"alphaMode", WORDS("OPAQUE MASK BLEND")}, {"alphaCutoff", NUMBER, FROM(0), NEEDS("alphaMode")},
        {"doubleSided", BOOL}, END}};

static const vrmi_schema primitive = {.name = "primitive",
    .rules = (const vrmi_schema_rule[]){{"attributes", INDEX(VRM_GLTF_ACCESSORS), MAP, NOT_EMPTY, REQUIRED},
        {"indices", INDEX(VRM_GLTF_ACCESSORS)}, {"material", INDEX(VRM_GLTF_MATERIALS)},
        {"mode", INTEGER, FROM(0), TO(6)}, {"targets", INDEX(VRM_GLTF_ACCESSORS), LIST, MAP, NOT_EMPTY}, END}};
static const vrmi_schema mesh = {.name = "mesh",
    .rules = (const vrmi_schema_rule[]){
        NAMED, {"primitives", OBJECT(primitive), LIST, REQUIRED}, {"weights", NUMBER, LIST}, END}};

static const vrmi_schema node = {.name = "node",
    .rules = (const vrmi_schema_rule[]){NAMED, {"camera", INDEX(VRM_GLTF_CAMERAS)},
        {"children", INDEX(VRM_GLTF_NODES), LIST, SET}, {"skin", INDEX(VRM_GLTF_SKINS), NEEDS("mesh")},
        {"matrix", VECTOR(16)}, {"mesh", INDEX(VRM_GLTF_MESHES)}, {"rotation", VECTOR(4), FROM(-1), TO(1)},
        {"scale", VECTOR(3)}, {"translation", VECTOR(3)}, {"weights", NUMBER, LIST, NEEDS("mesh")}, END}};
static const vrmi_schema scene = {
    .name = "scene", .rules = (const vrmi_schema_rule[]){NAMED, {"nodes", INDEX(VRM_GLTF_NODES), LIST, SET}, END}};
static const vrmi_schema skin = {.name = "skin",
    .rules = (const vrmi_schema_rule[]){NAMED, {"inverseBindMatrices", INDEX(VRM_GLTF_ACCESSORS)},
        {"skeleton", INDEX(VRM_GLTF_NODES)}, {"joints", INDEX(VRM_GLTF_NODES), LIST, SET, REQUIRED}, END}};
static const vrmi_schema sampler = {.name = "sampler",
    .rules = (const vrmi_schema_rule[]){
        NAMED, {"magFilter", INTEGER}, {"minFilter", INTEGER}, {"wrapS", INTEGER}, {"wrapT", INTEGER}, END}};
static const vrmi_schema texture = {.name = "texture",
    .rules = (const vrmi_schema_rule[]){
        NAMED, {"sampler", INDEX(VRM_GLTF_SAMPLERS)}, {"source", INDEX(VRM_GLTF_IMAGES)}, END}};

const vrmi_schema vrmi_schema_gltf = {.name = "glTF",
    .rules = (const vrmi_schema_rule[]){{"asset", OBJECT(asset), REQUIRED}, {"extensionsUsed", STRING, LIST, SET},
        {"extensionsRequired", STRING, LIST, SET, NEEDS("extensionsUsed")}, {"accessors", OBJECT(accessor), LIST},
        {"animations", OBJECT(animation), LIST}, {"buffers", OBJECT(buffer), LIST},
        {"bufferViews", OBJECT(buffer_view), LIST}, {"cameras", OBJECT(camera), LIST}, {"images", OBJECT(image), LIST},
        {"materials", OBJECT(material), LIST}, {"meshes", OBJECT(mesh), LIST}, {"nodes", OBJECT(node), LIST},
        {"samplers", OBJECT(sampler), LIST}, {"scene", INDEX(VRM_GLTF_SCENES), NEEDS("scenes")},
        {"scenes", OBJECT(scene), LIST}, {"skins", OBJECT(skin), LIST}, {"textures", OBJECT(texture), LIST}, END}};
