// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/abi.h"
#include "model/model.h"

static vrm_string text_of(const char *text, vrmi_name name)
{
    return (vrm_string){text + name.offset, name.length};
}

void vrmi_meta_view(const vrmi_meta_row *row, const char *text, vrm_meta *out_meta)
{
    *out_meta = (vrm_meta){
        .name = text_of(text, row->name),
        .version = text_of(text, row->version),
        .copyright_information = text_of(text, row->copyright_information),
        .contact_information = text_of(text, row->contact_information),
        .third_party_licenses = text_of(text, row->third_party_licenses),
        .license_url = text_of(text, row->license_url),
        .other_license_url = text_of(text, row->other_license_url),
        .thumbnail_image = row->thumbnail_image,
        .stated = row->stated,
        .avatar_permission = (vrm_avatar_permission)row->avatar_permission,
        .commercial_usage = (vrm_commercial_usage)row->commercial_usage,
        .credit_notation = (vrm_credit_notation)row->credit_notation,
        .modification = (vrm_modification)row->modification,
        .allow_excessively_violent_usage = (row->allowed & VRM_META_VIOLENT_USAGE) != 0,
        .allow_excessively_sexual_usage = (row->allowed & VRM_META_SEXUAL_USAGE) != 0,
        .allow_political_or_religious_usage = (row->allowed & VRM_META_POLITICAL_OR_RELIGIOUS_USAGE) != 0,
        .allow_antisocial_or_hate_usage = (row->allowed & VRM_META_ANTISOCIAL_OR_HATE_USAGE) != 0,
        .allow_redistribution = (row->allowed & VRM_META_REDISTRIBUTION) != 0,
    };
}

typedef struct use_info {
    const char *name;
    const char *sentence;
} use_info;

static const use_info uses[VRM_USE_COUNT] = {
#define USE(name, number, option, sentence) [number] = {option, sentence},
    VRM_USES(USE)
#undef USE
};

const char *vrm_use_name(vrm_use use)
{
    return (uint32_t)use < VRM_USE_COUNT ? uses[use].name : "";
}

const char *vrm_use_sentence(vrm_use use)
{
    return (uint32_t)use < VRM_USE_COUNT ? uses[use].sentence : "";
}

// One condition: a field, whether the file states it, and whether it grants the use.
typedef struct condition {
    const char *field;
    bool stated;
    bool granted;
} condition;

static condition flag_condition(const vrm_meta *meta, const char *field, vrm_meta_field bit, bool granted)
{
    return (condition){field, (meta->stated & (uint32_t)bit) != 0, granted};
}

static condition avatar_condition(const vrm_meta *meta, vrm_user who)
{
    // A separate licence helps only if avatarPermission is onlySeparatelyLicensedPerson.
    const bool granted = meta->avatar_permission == VRM_AVATAR_PERMISSION_EVERYONE ||
                         (meta->avatar_permission == VRM_AVATAR_PERMISSION_ONLY_SEPARATELY_LICENSED_PERSON &&
                             who == VRM_USER_LICENSED_PERSON);
    return flag_condition(meta, "avatarPermission", VRM_META_AVATAR_PERMISSION, granted);
}

static condition commercial_condition(const vrm_meta *meta, vrm_commercial_usage needed)
{
    return flag_condition(meta, "commercialUsage", VRM_META_COMMERCIAL_USAGE, meta->commercial_usage >= needed);
}

// Writes the conditions of a use, all of which must be granted. The first one not granted is the reason for a refusal.
// Returns their number.
static uint32_t conditions_of(const vrm_meta *meta, vrm_use use, vrm_user who, condition out[3])
{
    const condition redistribution =
        flag_condition(meta, "allowRedistribution", VRM_META_REDISTRIBUTION, meta->allow_redistribution);
    out[0] = avatar_condition(meta, who);
    switch (use) {
    case VRM_USE_PERFORM:
        return 1;
    case VRM_USE_STREAM_FOR_PROFIT:
        out[1] = commercial_condition(meta, VRM_COMMERCIAL_USAGE_PERSONAL_PROFIT);
        return 2;
    case VRM_USE_CORPORATE:
        out[1] = commercial_condition(meta, VRM_COMMERCIAL_USAGE_CORPORATION);
        return 2;
    case VRM_USE_VIOLENCE:
        out[1] = flag_condition(
            meta, "allowExcessivelyViolentUsage", VRM_META_VIOLENT_USAGE, meta->allow_excessively_violent_usage);
        return 2;
    case VRM_USE_SEXUAL:
        out[1] = flag_condition(
            meta, "allowExcessivelySexualUsage", VRM_META_SEXUAL_USAGE, meta->allow_excessively_sexual_usage);
        return 2;
    case VRM_USE_POLITICAL_OR_RELIGIOUS:
        out[1] = flag_condition(meta, "allowPoliticalOrReligiousUsage", VRM_META_POLITICAL_OR_RELIGIOUS_USAGE,
            meta->allow_political_or_religious_usage);
        return 2;
    case VRM_USE_ANTISOCIAL_OR_HATE:
        out[1] = flag_condition(meta, "allowAntisocialOrHateUsage", VRM_META_ANTISOCIAL_OR_HATE_USAGE,
            meta->allow_antisocial_or_hate_usage);
        return 2;
    case VRM_USE_MODIFY:
        out[1] = flag_condition(
            meta, "modification", VRM_META_MODIFICATION, meta->modification >= VRM_MODIFICATION_ALLOW_MODIFICATION);
        return 2;
    // Redistributing the file does not mean performing as the avatar, so avatarPermission does not apply.
    case VRM_USE_REDISTRIBUTE:
        out[0] = redistribution;
        return 1;
    case VRM_USE_REDISTRIBUTE_MODIFIED:
        out[0] = flag_condition(meta, "modification", VRM_META_MODIFICATION,
            meta->modification == VRM_MODIFICATION_ALLOW_MODIFICATION_REDISTRIBUTION);
        return 1;
    case VRM_USE_SELL:
        out[0] = redistribution;
        out[1] = commercial_condition(meta, VRM_COMMERCIAL_USAGE_PERSONAL_PROFIT);
        return 2;
    default:
        return 0;
    }
}

vrm_permission vrm_meta_get_permission(const vrm_meta *given, vrm_use use, vrm_user who, const char **out_field)
{
    vrm_meta known = {.thumbnail_image = -1};
    const vrm_meta *meta = &known;
    const char *field = "";
    vrm_permission permission = VRM_PERMISSION_NOT_ALLOWED;
    condition conditions[3];
    if (!VRM_ASSERT(given != NULL && (uint32_t)use < VRM_USE_COUNT && VRMI_READ_OPTIONS(vrm_meta, &known, given))) {
        permission = VRM_PERMISSION_NOT_ALLOWED;
    } else if (who == VRM_USER_AUTHOR) {
        permission = VRM_PERMISSION_ALLOWED;
        field = "authors";
    } else {
        const uint32_t count = conditions_of(meta, use, who, conditions);
        permission = meta->credit_notation == VRM_CREDIT_NOTATION_UNNECESSARY ? VRM_PERMISSION_ALLOWED
                                                                              : VRM_PERMISSION_ALLOWED_WITH_CREDIT;
        for (uint32_t i = 0; i < count; ++i) {
            field = conditions[i].field;
            if (!conditions[i].granted) {
                permission = conditions[i].stated ? VRM_PERMISSION_NOT_ALLOWED : VRM_PERMISSION_NOT_STATED;
                break;
            }
        }
    }
    if (out_field != NULL) {
        *out_field = field;
    }
    return permission;
}
