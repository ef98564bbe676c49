// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "bullet_ragdoll.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <btBulletDynamicsCommon.h>

namespace {

const float steps_per_second = 240, friction = 1.6f; // friction is multiplied by the floor's 0.5
const btScalar correction = 0.5f,
               fastest = 3;         // fraction of an error that a step corrects; highest speed of a correction, rad/s
const btScalar limp_damping = 0.9f; // fraction of angular velocity that a limp body loses per second

struct Vector final : btVector3 {
    Vector(vrm_vec3 v) : btVector3(v.x, v.y, v.z) {}
    Vector(const btVector3 &v) : btVector3(v) {}
    operator vrm_vec3() const { return {x(), y(), z()}; }
};

struct Turn final : btQuaternion {
    Turn(vrm_quat q) : btQuaternion(q.x, q.y, q.z, q.w) {}
    Turn(const btQuaternion &q) : btQuaternion(q) {}
    operator vrm_quat() const { return {x(), y(), z(), w()}; }
};

vrm_vec3 moved_by(vrm_vec3 p, const vrm_dvec3 &a, const vrm_dvec3 &b)
{
    return {float(p.x + (a.x - b.x)), float(p.y + (a.y - b.y)), float(p.z + (a.z - b.z))};
}

struct Body {
    std::unique_ptr<btCollisionShape> shape;
    std::unique_ptr<btCompoundShape> placed_shape;
    std::unique_ptr<btRigidBody> rigid;
    std::unique_ptr<struct Joint> joint; // the joint to the parent
    btTransform own;                     // transform of the definition's body relative to Bullet's body
    btScalar sunk = 0;                   // depth to which the animation puts the body into the floor, which is allowed
    bool driven = false;
    btTransform place() const { return rigid->getCenterOfMassTransform() * own; }
};

// A joint's anchor and libvrm's constraint rows. (Bullet has no joint with elliptic cones.) Body A is the parent.
struct Joint final : btTypedConstraint {
    const vrm_ragdoll_joint &def;
    const Body &a, &b;
    btVector3 anchor; // in the parent's frame
    vrm_quat targets[2];
    vrm_ragdoll_joint_row rows[VRM_RAGDOLL_JOINT_ROWS];
    uint32_t count = 0;

    Joint(const vrm_ragdoll_joint &joint, const Body &parent, const Body &child)
        : btTypedConstraint(D6_CONSTRAINT_TYPE, *parent.rigid, *child.rigid), def(joint), a(parent), b(child)
    {
    }

    void getInfo1(btConstraintInfo1 *info) override
    {
        const vrm_quat now[2] = {Turn(a.place().getRotation()), Turn(b.place().getRotation())};
        count = vrm_ragdoll_get_joint_rows(&def, now, b.driven ? targets : nullptr, rows);
        info->m_numConstraintRows = int(3 + count);
        info->nub = 0;
    }

    void getInfo2(btConstraintInfo2 *info) override
    {
        const btVector3 at_a = a.place() * anchor, at_b = b.place().getOrigin();
        for (int i = 0; i < 3; ++i) {
            const btVector3 axis(i == 0, i == 1, i == 2);
            put(info->m_J1linearAxis, i * info->rowskip, axis);
            put(info->m_J1angularAxis, i * info->rowskip, (at_a - m_rbA.getCenterOfMassPosition()).cross(axis));
            put(info->m_J2linearAxis, i * info->rowskip, -axis);
            put(info->m_J2angularAxis, i * info->rowskip, (m_rbB.getCenterOfMassPosition() - at_b).cross(axis));
            info->m_constraintError[i * info->rowskip] = info->fps * correction * (at_b - at_a)[i];
        }
        for (uint32_t i = 0; i < count; ++i) {
            const int at = int(3 + i) * info->rowskip;
            put(info->m_J1angularAxis, at, -Vector(rows[i].axis));
            put(info->m_J2angularAxis, at, Vector(rows[i].axis));
            const btScalar back = std::max(rows[i].gap * info->fps * correction, -fastest);
            info->m_constraintError[at] = rows[i].both || rows[i].gap < 0 ? back : rows[i].gap * info->fps;
            info->m_upperLimit[at] = rows[i].both ? SIMD_INFINITY : 0;
        }
    }

    void setParam(int, btScalar, int) override {}
    btScalar getParam(int, int) const override { return 0; }

    static void put(btScalar *rows, int at, const btVector3 &v)
    {
        std::copy(&v.m_floats[0], &v.m_floats[3], rows + at);
    }
};

bool is_driven(const vrm_ragdoll_targets &targets, const vrm_ragdoll_target &t)
{
    return targets.drive == VRM_RAGDOLL_DRIVE_TORQUE ? t.frequency + t.pin_frequency + t.load > 0
                                                     : t.rotation_weight + t.translation_weight > 0;
}

} // namespace

struct bullet_ragdoll final : btSequentialImpulseConstraintSolver {
    std::vector<Body> bodies; // declared first, so that the bodies are destroyed after the world
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, this, &configuration};
    btStaticPlaneShape plane{{0, 1, 0}, 0};
    btRigidBody floor{btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &plane)};
    vrm_ragdoll_def def{};
    double floor_height = 0;
    vrm_dvec3 origin{0, 0, 0}; // position of Bullet's origin in the world
    float scale = 0;
    uint32_t moved = 0;

    void build(btScalar s)
    {
        bodies.resize(def.body_count);
        for (uint32_t i = 0; i < def.body_count; ++i) {
            const vrm_ragdoll_body &b = def.bodies[i];
            Body &body = bodies[i];
            if (b.shape.type == VRM_RAGDOLL_SHAPE_BOX) {
                body.shape = std::make_unique<btBoxShape>(s * Vector(b.shape.half_extents));
            } else {
                body.shape = std::make_unique<btCapsuleShape>(s * b.shape.radius, 2 * s * b.shape.half_length);
            }
            body.own = btTransform(Turn(b.inertia_rotation), s * Vector(b.center_of_mass)).inverse();
            body.placed_shape = std::make_unique<btCompoundShape>();
            body.placed_shape->addChildShape(
                body.own * btTransform(Turn(b.shape.rotation), s * Vector(b.shape.center)), body.shape.get());
            btRigidBody::btRigidBodyConstructionInfo info(
                s * s * s * b.mass, nullptr, body.placed_shape.get(), s * s * s * s * s * Vector(b.inertia));
            info.m_linearSleepingThreshold = 0.05f;
            info.m_angularSleepingThreshold = 0.25f;
            body.rigid = std::make_unique<btRigidBody>(info);
            body.rigid->setFlags(BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
            body.rigid->setUserPointer(&body);
            world.addRigidBody(body.rigid.get());
            for (uint32_t k = 0; k < i; ++k) {
                body.rigid->setIgnoreCollisionCheck(bodies[k].rigid.get(), (b.no_contact >> k & 1) != 0);
            }
            if (i > 0) {
                body.joint = std::make_unique<Joint>(b.joint, bodies[size_t(b.parent)], body);
                world.addConstraint(body.joint.get());
            }
        }
    }

    vrm_ragdoll_state state_of(const Body &body) const
    {
        return {Vector(body.place().getOrigin()), Turn(body.place().getRotation()),
            Vector(body.rigid->getLinearVelocity()), Vector(body.rigid->getAngularVelocity())};
    }

    static btTransform place_of(const Body &body, const vrm_ragdoll_state &state)
    {
        return btTransform(Turn(state.rotation), Vector(state.position)) * body.own.inverse();
    }

    // Applies the frame's targets: positions of bodies, the choice of simulated bodies, and the joints.
    void begin(const vrm_ragdoll_targets &targets, std::vector<vrm_ragdoll_target> &wanted)
    {
        const bool put = targets.moved != moved || bodies.empty();
        if (bodies.empty()) {
            build(scale = targets.root.scale);
        }
        if (put) { // moves the origin, since floats are coarse far from it
            origin = targets.origin;
            floor.getWorldTransform().setOrigin({0, btScalar(floor_height - origin.y), 0});
            moved = targets.moved;
        }
        const bool held = targets.drive != VRM_RAGDOLL_DRIVE_TORQUE || targets.bodies[0].pin_frequency > 0;
        for (uint32_t i = 0; i < def.body_count; ++i) {
            Body &body = bodies[i];
            btRigidBody &rigid = *body.rigid;
            const vrm_ragdoll_target &t = wanted[i] = targets.bodies[i];
            wanted[i].state.position = moved_by(t.state.position, targets.origin, origin);
            if (put) {
                const vrm_ragdoll_state &state = targets.places != nullptr ? targets.places[i] : t.state;
                rigid.setCenterOfMassTransform(place_of(body, state));
                rigid.setLinearVelocity(Vector(state.linear_velocity));
                rigid.setAngularVelocity(Vector(state.angular_velocity));
            }
            const bool dynamic = t.motion == VRM_RAGDOLL_MOTION_DYNAMIC,
                       driven = body.driven = dynamic && is_driven(targets, t);
            rigid.setCollisionFlags(dynamic ? 0 : btCollisionObject::CF_KINEMATIC_OBJECT);
            rigid.setFriction(driven ? 0 : friction); // a drive does not account for friction
            rigid.setDamping(0, driven ? 0 : limp_damping);
            rigid.forceActivationState(put || driven || !dynamic ? ACTIVE_TAG : rigid.getActivationState());
            btVector3 low, high; // for bodies that are held in place; a falling figure is driven by joints only
            body.placed_shape->getAabb(place_of(body, t.state), low, high);
            body.sunk = driven && held ? std::max(floor.getCenterOfMassPosition().y() - low.y(), btScalar(0)) : 0;
            if (i > 0) {
                const vrm_ragdoll_target &above = wanted[size_t(def.bodies[i].parent)];
                body.joint->anchor =
                    scale * Vector(targets.anchors != nullptr ? targets.anchors[i] : def.bodies[i].joint.anchor);
                body.joint->targets[0] = above.state.rotation;
                body.joint->targets[1] = t.state.rotation;
                body.joint->setEnabled(dynamic || above.motion == VRM_RAGDOLL_MOTION_DYNAMIC);
            }
        }
    }

    void drive(const vrm_ragdoll_targets &targets, const std::vector<vrm_ragdoll_target> &wanted, float h)
    {
        vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
        vrm_ragdoll_wrench wrenches[VRM_RAGDOLL_MAX_BODIES];
        vrm_ragdoll_velocity velocities[VRM_RAGDOLL_MAX_BODIES];
        std::transform(bodies.begin(), bodies.end(), states, [this](const Body &body) { return state_of(body); });
        vrm_ragdoll_drive_params params;
        vrm_ragdoll_drive_params_default(&params);
        params.def = &def;
        params.states = states;
        params.targets = wanted.data();
        params.scale = scale;
        params.dt = h;
        const bool torque = targets.drive == VRM_RAGDOLL_DRIVE_TORQUE;
        torque ? vrm_ragdoll_drive_torques(&params, wrenches) : vrm_ragdoll_drive_velocities(&params, velocities);
        for (uint32_t i = 0; i < def.body_count; ++i) {
            btRigidBody &rigid = *bodies[i].rigid;
            if (torque) {
                rigid.applyTorque(Vector(wrenches[i].torque));
                rigid.applyCentralForce(Vector(wrenches[i].force));
            } else if (!rigid.isKinematicObject()) {
                rigid.setLinearVelocity(Vector(velocities[i].linear));
                rigid.setAngularVelocity(Vector(velocities[i].angular));
            }
        }
    }

    // Makes one step. Bullet gives kinematic bodies a velocity (from their positions), but does not move them.
    void step(const std::vector<vrm_ragdoll_target> &wanted, float h, float left)
    {
        btTransform ends[VRM_RAGDOLL_MAX_BODIES], before;
        for (uint32_t i = 0; i < def.body_count; ++i) {
            const btTransform now = bodies[i].rigid->getCenterOfMassTransform();
            btVector3 linear, angular;
            btTransformUtil::calculateVelocity(now, place_of(bodies[i], wanted[i].state), left, linear, angular);
            btTransformUtil::integrateTransform(now, linear, angular, h, ends[i]);
            btTransformUtil::integrateTransform(now, linear, angular, -h, before);
            bodies[i].rigid->setInterpolationWorldTransform(before);
        }
        world.stepSimulation(h, 0);
        for (uint32_t i = 0; i < def.body_count; ++i) {
            if (bodies[i].rigid->isKinematicObject()) {
                bodies[i].rigid->setWorldTransform(ends[i]);
            }
        }
    }

    // Bodies that the animation moves into the floor or into another limb are not pushed out.
    void convertContacts(btPersistentManifold **manifolds, int count, const btContactSolverInfo &info) override
    {
        for (int m = 0; m < count; ++m) {
            const Body *a = static_cast<const Body *>(manifolds[m]->getBody0()->getUserPointer());
            const Body *b = static_cast<const Body *>(manifolds[m]->getBody1()->getUserPointer());
            for (int i = 0; i < manifolds[m]->getNumContacts(); ++i) {
                const btScalar gap = manifolds[m]->getContactPoint(i).getDistance();
                const btScalar limbs = a && b && a->driven && b->driven ? std::max(gap, btScalar(0)) : gap;
                manifolds[m]->getContactPoint(i).setDistance(a && b ? limbs : gap + (a ? a->sunk : b->sunk));
            }
        }
        btSequentialImpulseConstraintSolver::convertContacts(manifolds, count, info);
    }
};

bullet_ragdoll *bullet_ragdoll_create(const vrm_ragdoll_def *def, double floor_height)
{
    bullet_ragdoll *ragdoll = new bullet_ragdoll;
    ragdoll->def = *def;
    ragdoll->floor_height = floor_height;
    ragdoll->world.addRigidBody(&ragdoll->floor);
    ragdoll->world.setGravity({0, -9.81f, 0});
    ragdoll->world.getSolverInfo().m_numIterations = 50;
    return ragdoll;
}

void bullet_ragdoll_destroy(bullet_ragdoll *ragdoll)
{
    delete ragdoll;
}

void bullet_ragdoll_step(
    bullet_ragdoll *ragdoll, const vrm_ragdoll_targets *targets, float dt, vrm_ragdoll_state *out_states)
{
    std::vector<vrm_ragdoll_target> wanted(ragdoll->def.body_count);
    ragdoll->begin(*targets, wanted);
    const float steps = std::ceil(dt * steps_per_second - 1e-3f), h = dt / steps;
    for (float step = 0; step < steps; ++step) {
        if (std::any_of(wanted.begin(), wanted.end(), [=](const auto &t) { return is_driven(*targets, t); })) {
            ragdoll->drive(*targets, wanted, h);
        }
        for (uint32_t i = 0; i < targets->impulse_count; ++i) { // the impulse acts as a force during the frame
            const vrm_ragdoll_impulse &blow = targets->impulses[i];
            btRigidBody &rigid = *ragdoll->bodies[blow.body].rigid;
            const Vector point = moved_by(blow.point, targets->origin, ragdoll->origin);
            rigid.activate(true);
            rigid.applyForce(Vector(blow.impulse) / dt, point - rigid.getCenterOfMassPosition());
        }
        ragdoll->step(wanted, h, dt - step * h);
    }
    for (uint32_t i = 0; i < ragdoll->def.body_count; ++i) {
        out_states[i] = ragdoll->state_of(ragdoll->bodies[i]);
        out_states[i].position = moved_by(out_states[i].position, ragdoll->origin, targets->origin);
    }
}
